// The fleet file: several runs in one process, each with its own options and configuration, and limits over all of them.
// limits.ts checks the limits; shared-limit.ts says what each run may hold before an order leaves; fleet-state.ts stores their state for a restart.
import { basename, dirname, extname, isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Place } from '../../base/errors.ts';
import { amount } from '../../base/files/amount.ts';
import { complaint, invalid, type PlaceOf, readSource } from '../../base/files/yaml-source.ts';
import { PACKAGE_FOLDER, PROGRAM } from '../../base/package.ts';
import type { Override } from '../../bot/run/core/config.ts';
import { notifySchema } from '../../bot/run/core/settings.ts';

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

/** The blocks of a configuration file; each value overrides the file's. */
const BLOCKS = ['params', 'limits', 'polling', 'local', 'signals', 'retention'] as const;

/** A key of a run: an option of `bot run`. */
export interface RunKey {
  readonly key: string;
  /** What its value may be: true or false, any text, or one of some words. */
  readonly takes: 'flag' | 'text' | readonly string[];
  /** True if a text names a file; its path is relative to the fleet file. */
  readonly isFile?: ((text: string) => boolean) | undefined;
}

function schemaOf({ takes }: RunKey): z.ZodType {
  if (takes === 'flag') return flag.optional();
  if (takes === 'text') return text.optional();
  return z.enum(takes, { error: `must be ${takes.slice(0, -1).join(', ')} or ${takes.at(-1)}` }).optional();
}

/** Returns the schema of an amount without a default. */
function requiredAmount() {
  return amount({ preset: Number.MAX_SAFE_INTEGER }).refine(
    (given) => given > 0 && given < Number.MAX_SAFE_INTEGER,
    'must be an amount above 0',
  );
}

const fleetSchemaOf = (keys: readonly RunKey[]) =>
  z.strictObject({
    name: z.string('must be text').optional(),
    runs: z.record(
      z.string(),
      z.strictObject({
        ...Object.fromEntries(keys.map((key) => [key.key, schemaOf(key)])),
        ...Object.fromEntries(BLOCKS.map((name) => [name, block.optional()])),
      }),
      'must be a map of runs',
    ),
    limits: limitsSchema.prefault({}),
    notify: notifySchema.prefault({}),
  });

export interface FleetRun {
  readonly name: string;
  /** Values by their keys, as a person wrote them; paths are made relative to the working directory. */
  readonly options: Readonly<Record<string, unknown>>;
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

/**
 * Reads a fleet file, whose runs may have these keys. Throws a UserError with the place of the first error. The values of options and the configuration
 * of each run are checked when it is planned.
 */
export function loadFleet(file: string, keys: readonly RunKey[]): FleetFile {
  const { value, placeOf } = readSource(file, `${PROGRAM} fleet; an example: ${exampleFile()}`);
  const schema = fleetSchemaOf(keys);
  const parsed = schema.safeParse(value ?? {});
  if (!parsed.success) throw complaint(schema, parsed.error.issues, placeOf);
  const { runs, limits, notify } = parsed.data;
  const name = parsed.data.name ?? basename(file, extname(file));
  if (!NAME.test(name)) throw invalid(`"${name}" is not a name of a fleet`, placeOf(['name'], 'value'), `${NAME_HINT}, after name:`);
  const names = Object.keys(runs);
  if (names.length === 0) throw invalid('there is no run in this fleet', placeOf(['runs'], 'key'), 'add one below runs:');
  const wrong = names.find((one) => !NAME.test(one));
  if (wrong !== undefined) throw invalid(`"${wrong}" is not a name of a run`, placeOf(['runs', wrong], 'key'), NAME_HINT);
  return { name, runs: names.map((one) => runOf(one, runs[one] ?? {}, { file, placeOf, keys })), limits, notify };
}

/** The file in which a run is written. */
interface Written {
  readonly file: string;
  readonly placeOf: PlaceOf;
  readonly keys: readonly RunKey[];
}

function runOf(name: string, written: Readonly<Record<string, unknown>>, { file, placeOf, keys }: Written): FleetRun {
  const placeIn: PlaceOf = (path, part) => placeOf(['runs', name, ...path], part);
  const besideIfFile = (given: unknown, isFile: RunKey['isFile']): unknown =>
    typeof given === 'string' && !isAbsolute(given) && isFile?.(given) === true ? join(dirname(file), given) : given;
  return {
    name,
    options: Object.fromEntries(keys.map(({ key, isFile }) => [key, besideIfFile(written[key], isFile)])),
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
