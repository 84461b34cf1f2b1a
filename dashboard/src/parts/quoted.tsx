/** A sentence in which what stands between backticks is a command, which is not broken where a line has room for it. */

export function Quoted({ text }: { text: string }) {
  return (
    <span className="wrap-anywhere">
      {text.split('`').map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <code key={index} className="inline-block max-w-full font-mono text-small">
            {part}
          </code>
        ),
      )}
    </span>
  )
}
