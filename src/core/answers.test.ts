import { expect, test } from 'vitest'
import { readAnswer } from './answers.ts'

const PERMISSION = { kind: 'permission', what: 'Bash: rm -rf build' } as const
const QUESTION = {
  kind: 'question' as const,
  what: 'Which?',
  questions: [{ question: 'Which?', options: labelled('red', 'blue', '7') }],
}

test.each([
  ['allow', 'allow'],
  ['Yes', 'allow'],
  ['1', 'allow'],
  ['deny', 'deny'],
  ['NO', 'deny'],
  ['2', 'deny'],
  ['deny use rm -i', 'deny: use rm -i'],
  ['no, the build is needed', 'deny: the build is needed'],
  ['deny: yes', 'deny: yes'],
  ['no.', 'deny'],
])('a permission takes %j as %j', (said, text) => {
  expect(readAnswer(PERMISSION, said)).toEqual({ text })
})

test.each(['maybe', 'nope', 'yes please', 'denying', 'allow rm', '3', '12', 'notes', 'x'.repeat(500)])(
  'a permission is not decided by %j',
  (said) => {
    const answer = readAnswer(PERMISSION, said)
    expect(answer).toMatchObject({
      refusal: {
        code: 'invalid',
        hint:
          'Answer with allow, yes or 1 to allow it; with deny, no or 2 to deny it, ' +
          'and a reason after that if you like.',
      },
    })
    expect('refusal' in answer && answer.refusal.sentence.length).toBeLessThan(80)
  },
)

test.each(['1', '3', 'red', '7', 'green, if you must', '1,2', '1\n2'])('a question takes %j as it is', (said) => {
  expect(readAnswer(QUESTION, said)).toEqual({ text: said })
  expect(readAnswer({ kind: 'question', what: 'Which port?' }, said)).toEqual({ text: said })
})

test.each(['2', '3', '16'])('where all options are numbers, %s is an answer', (said) => {
  const options = ['2', '4', '8'].map((label) => ({ label }))
  const asked = { kind: 'question' as const, what: 'How many?', questions: [{ question: 'How many?', options }] }
  expect(readAnswer(asked, said)).toEqual({ text: said })
})

test.each(['0', '4', '99999'])('a question has no option %s', (said) => {
  expect(readAnswer(QUESTION, said)).toEqual({
    refusal: {
      code: 'invalid',
      sentence: `There is no option ${said}`,
      hint: 'Choose 1 to 3, give the text of an option, or answer in words: red · blue · 7.',
    },
  })
})

const TWO = {
  kind: 'question' as const,
  what: 'Which? · Where?',
  questions: [
    { question: 'Which?', options: labelled('red', 'blue') },
    { question: 'Where?', options: labelled('here', 'there'), several: true as const },
  ],
}

test.each(['1\n2', 'red\n1, there', 'green \n anywhere', '1\n1,2'])('two questions take %j', (said) => {
  const text = said.split('\n').map((line) => line.trim())
  expect(readAnswer(TWO, said)).toEqual({ text: text.join('\n') })
})

test.each([
  ['1', 'It asks 2 things at once'],
  ['1\n\n', 'It asks 2 things at once'],
  ['1\n2\n3', 'It asks 2 things at once'],
  ['3\n1', 'There is no option 3'],
  ['1\n1, 9', 'There is no option 9'],
])('two questions do not take %j', (said, sentence) => {
  expect(readAnswer(TWO, said)).toMatchObject({ refusal: { code: 'invalid', sentence } })
})

function labelled(...labels: string[]): { label: string }[] {
  return labels.map((label) => ({ label }))
}
