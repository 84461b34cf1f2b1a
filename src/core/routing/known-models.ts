/** Whether a runtime knows a model, asked before anybody is ended for it. A runtime that says nothing is believed to. */
import type { Refusal } from '../../contract/commands.ts'
import type { RoutingSettings, Settings } from '../../contract/settings.ts'
import { dotted } from '../../contract/config/path.ts'
import { TIERS } from '../../contract/config/values.ts'
import type { Capabilities } from '../runtime-port.ts'

/** Plain data, so that a recorded night is decided alike. */
export interface KnownModels {
  /** Names of its own, such as those of its tiers. */
  names: readonly string[]
  /** What stands in every id of its family. */
  family: string
}

interface Wanted {
  runtime: string
  model: string
}

export interface Known {
  capabilities: ReadonlyMap<string, Pick<Capabilities, 'models'>>
  settings: Pick<Settings, 'routing'>
}

/** Why there is no such program, or none with this model. */
export function unknownProgram(known: Known, wanted: Wanted): Refusal | undefined {
  const { capabilities } = known
  if (capabilities.has(wanted.runtime)) return unknownModel(known, wanted)
  const hint = `There are: ${[...capabilities.keys()].join(', ')}.`
  return { code: 'invalid', sentence: `there is no runtime called ${wanted.runtime}`, hint }
}

/** Why this model cannot be had there, with what can. */
export function unknownModel({ capabilities, settings }: Known, { runtime, model }: Wanted): Refusal | undefined {
  const known = capabilities.get(runtime)?.models
  if (known === undefined || knows(known, model) || isSet(settings.routing, { runtime, model })) return undefined
  const { names, family } = known
  return {
    code: 'invalid',
    sentence: `${runtime} knows no model called ${model}`,
    hint:
      `It knows ${names.join(', ')} and every id with «${family}» in it. ` +
      `Should it have another one, name it: \`pan config set ${dotted(['runtimes', 'model_routing', model])} ${runtime}\`.`,
  }
}

function knows({ names, family }: KnownModels, model: string): boolean {
  const name = model.toLowerCase().replace(/\[1m\]$/, '')
  return names.includes(name) || name.includes(family)
}

/** A person named it in the settings for this runtime, or as what a tier stands for. */
function isSet({ tiers, runtimes }: RoutingSettings, { runtime, model }: Wanted): boolean {
  const isTier = (TIERS as readonly string[]).includes(model) || Object.values(tiers).includes(model)
  return isTier || (Object.hasOwn(runtimes, model) && runtimes[model] === runtime)
}
