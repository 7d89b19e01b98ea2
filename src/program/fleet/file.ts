// The fleet file: several runs in one process, each with its own options and configuration, and limits over all of them.
// limits.ts: checks the limits; shared-limit.ts: what each run may hold before an order leaves; fleet-state.ts: stores their state for a restart
import { basename, dirname, extname, isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Place } from '../../base/errors.ts';
import { amount } from '../../base/files/amount.ts';
import { complaint, invalid, type PlaceOf, readSource } from '../../base/files/yaml-source.ts';
import { PACKAGE_FOLDER, PROGRAM } from '../../base/package.ts';
import type { Override } from '../../bot/run/core/config.ts';
import { notifySchema } from '../../bot/run/core/settings.ts';
import { isPath } from '../../venues/kind/modules/load-venue.ts';

/** Modes that a limit may set. `close-only` lets the runs reduce positions, `flatten` closes them, `cancel-all` cancels all orders and ends the runs. */
const mode = z.enum(['close-only', 'flatten', 'cancel-all'], { error: 'must be close-only, flatten or cancel-all' });

/** Limits in quote tokens, over all runs together. An absent limit does not act. */
const limitsSchema = z.strictObject({
  'gross-notional': z.strictObject({ maxNotional: requiredAmount(), mode: mode.default('close-only') }).optional(),
  'daily-loss': z.strictObject({ maxLoss: requiredAmount(), mode: mode.default('close-only') }).optional(),
  drawdown: z.strictObject({ maxLoss: requiredAmount(), mode: mode.default('close-only') }).optional(),
});
export type FleetLimitSettings = z.infer<typeof limitsSchema>;

const text = z.union([z.string(), z.number(), z.boolean()], 'must be text').transform(String);
const flag = z.literal([true, false], 'must be true or false');
const block = z.record(z.string(), z.unknown(), 'must be a map');

/** The options of `bot run` by their names. */
const options = {
  strategy: text.optional(),
  exchange: text.optional(),
  url: text.optional(),
  account: text.optional(),
  key: text.optional(),
  schema: text.optional(),
  paper: flag.optional(),
  live: flag.optional(),
  latency: text.optional(),
  queue: text.optional(),
  deposit: text.optional(),
  fees: text.optional(),
  foreign: z.enum(['adopt', 'cancel', 'ignore'], { error: 'must be adopt, cancel or ignore' }).optional(),
  market: text.optional(),
  seed: text.optional(),
  config: text.optional(),
};
const optionsSchema = z.object(options);

/** The blocks of a configuration file; each value overrides the file's. */
const blocks = {
  params: block.optional(),
  limits: block.optional(),
  polling: block.optional(),
  local: block.optional(),
  signals: block.optional(),
  retention: block.optional(),
};
type Block = keyof typeof blocks;
const BLOCKS = Object.keys(blocks) as readonly Block[];

const runSchema = z.strictObject({ ...options, ...blocks });

/** Returns the schema of an amount without a default. */
function requiredAmount() {
  return amount({ preset: Number.MAX_SAFE_INTEGER }).refine(
    (given) => given > 0 && given < Number.MAX_SAFE_INTEGER,
    'must be an amount above 0',
  );
}

const fleetSchema = z.strictObject({
  name: z.string('must be text').optional(),
  runs: z.record(z.string(), runSchema, 'must be a map of runs'),
  limits: limitsSchema.prefault({}),
  notify: notifySchema.prefault({}),
});

/** Options as a person wrote them; paths are made relative to the working directory. */
export type FleetRunOptions = z.infer<typeof optionsSchema>;

export interface FleetRun {
  readonly name: string;
  readonly options: FleetRunOptions;
  /** The blocks of its configuration that are in the fleet file. */
  readonly overrides: readonly Override[];
  readonly place: Place | undefined;
  placeOf(option: string): Place | undefined;
}

export interface FleetFile {
  readonly name: string;
  /** In the order of the file; at least one. */
  readonly runs: readonly FleetRun[];
  readonly limits: FleetLimitSettings;
  readonly notify: z.infer<typeof notifySchema>;
}

const NAME = /^[A-Za-z][\w-]{0,31}$/;
const NAME_HINT = 'write a letter, then up to 31 letters, digits, - or _';

/** The fleet file that is part of the package, relative to the working directory. */
const exampleFile = (): string => relative('', fileURLToPath(new URL('config/fleet.yaml', PACKAGE_FOLDER)));

/** Reads a fleet file. Throws a UserError with the place of the first error. The configuration of each run is checked when it is planned. */
export function loadFleet(file: string): FleetFile {
  const { value, placeOf } = readSource(file, `${PROGRAM} fleet; an example: ${exampleFile()}`);
  const parsed = fleetSchema.safeParse(value ?? {});
  if (!parsed.success) throw complaint(fleetSchema, parsed.error.issues, placeOf);
  const { runs, limits, notify } = parsed.data;
  const name = parsed.data.name ?? basename(file, extname(file));
  if (!NAME.test(name)) throw invalid(`"${name}" is not a name of a fleet`, placeOf(['name'], 'value'), `${NAME_HINT}, after name:`);
  const names = Object.keys(runs);
  if (names.length === 0) throw invalid('there is no run in this fleet', placeOf(['runs'], 'key'), 'add one below runs:');
  const wrong = names.find((one) => !NAME.test(one));
  if (wrong !== undefined) throw invalid(`"${wrong}" is not a name of a run`, placeOf(['runs', wrong], 'key'), NAME_HINT);
  return { name, runs: names.map((one) => runOf(one, runs[one] ?? {}, { file, placeOf })), limits, notify };
}

interface Written {
  readonly file: string;
  readonly placeOf: PlaceOf;
}

function runOf(name: string, written: z.infer<typeof runSchema>, { file, placeOf }: Written): FleetRun {
  const given = optionsSchema.parse(written);
  const { strategy, exchange, market, config, key, schema } = given;
  const beside = (path: string): string => (isAbsolute(path) ? path : join(dirname(file), path));
  const besideIfPath = (text: string | undefined): string | undefined => (text !== undefined && /[/\\.]/.test(text) ? beside(text) : text);
  const placeIn: PlaceOf = (path, part) => placeOf(['runs', name, ...path], part);
  return {
    name,
    options: {
      ...given,
      config: config && beside(config),
      key: key && beside(key),
      strategy: besideIfPath(strategy),
      exchange: exchange !== undefined && isPath(exchange) ? beside(exchange) : exchange,
      market: besideIfPath(market),
      schema: schema === undefined || schema === 'bundled' || schema === 'remote' ? schema : beside(schema),
    },
    overrides: BLOCKS.flatMap((part) => overridesIn([part], written[part], placeIn)),
    place: placeOf(['runs', name], 'key'),
    placeOf: (option) => placeIn([option], 'value'),
  };
}

/** Returns one override per value; for limits one per limit of a guard, so that the other limits keep the value of the configuration file. */
function overridesIn(path: readonly string[], value: unknown, placeIn: PlaceOf): readonly Override[] {
  if (value === undefined) return [];
  const depth = path[0] === 'limits' ? 2 : 1;
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isMap && path.length <= depth) return Object.entries(value).flatMap(([key, inner]) => overridesIn([...path, key], inner, placeIn));
  return [{ path, value, placeOf: placeIn }];
}
