// The action schema: protobuf text with every required name. Its field numbers are used on the wire.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type NamespaceBase, Type } from 'protobufjs';
import { UserError } from '../../base/errors.ts';
import { PACKAGE_FOLDER, PROGRAM } from '../../base/package.ts';
import { type UsedChange, usedChanges } from './differences.ts';
import { ACTION, type Needs, RECEIPT } from './needs.ts';
import { parseProto } from './proto-text.ts';
import { type Field, resolve, type Shape } from './resolve.ts';

export { schemaDifferences } from './differences.ts';

export interface ActionSchema {
  readonly text: string;
  /** SHA-256 of the text, in hex: what a person approves. */
  readonly hash: string;
  readonly action: Shape;
  readonly receipt: Shape;
  readonly errors: ErrorNumbers;
}

/** The schema's error enum. If two names share a number, the one declared first is its name. */
export interface ErrorNumbers {
  readonly names: ReadonlyMap<number, string>;
  readonly numbers: ReadonlyMap<string, number>;
}

const BUNDLED = new URL('proto/actions.proto', PACKAGE_FOLDER);

/**
 * Reads a schema and finds the needed messages in it by name. Throws a `UserError` of code `schema` that lists everything that is missing or has
 * another type: with a wrong schema, an order would not be refused but mean something else.
 */
export function loadSchema(text: string): ActionSchema {
  const scope = parseProto(text);
  const faults: string[] = [];
  const action = shapeOf(scope, { name: 'Action', needs: ACTION, faults });
  const receipt = shapeOf(scope, { name: 'Receipt', needs: RECEIPT, faults });
  if (action === undefined || receipt === undefined || faults.length > 0) {
    throw new UserError({
      code: 'schema',
      message: `the action schema cannot be used for trading: ${faults.join('; ')}`,
      hint: `use the exchange's own schema (\`${PROGRAM} schema show --url URL\`), or the bundled one`,
    });
  }
  return { text, hash: createHash('sha256').update(text).digest('hex'), action, receipt, errors: errorsOf(receipt) };
}

/** Conflicts, which the bot would write or read wrongly, and other differences in the parts that it uses; one line each. */
export interface Comparison {
  readonly conflicts: readonly string[];
  readonly others: readonly string[];
}

/**
 * Compares a schema in use with the text that the exchange publishes. A field or value with another number is a conflict, and so is anything that the
 * bot needs and the published schema lacks. Throws a `UserError` of code `exchange` for text that is no schema.
 */
export function compareWithPublished(used: ActionSchema, text: string): Comparison {
  const scope = parsePublished(text);
  const faults: string[] = [];
  const action = shapeOf(scope, { name: 'Action', needs: ACTION, faults });
  const receipt = shapeOf(scope, { name: 'Receipt', needs: RECEIPT, faults });
  if (action === undefined || receipt === undefined || faults.length > 0) return { conflicts: faults, others: [] };
  const changes = usedChanges(used, { action, receipt });
  return {
    conflicts: changes.filter(isConflict).map(({ line }) => line),
    others: changes.filter((change) => !isConflict(change)).map(({ line }) => line),
  };
}

const isConflict = ({ kind }: UsedChange): boolean => kind === 'moved';

function parsePublished(text: string): NamespaceBase {
  try {
    return parseProto(text);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError({
      code: 'exchange',
      message: `the exchange publishes no readable action schema: ${error.message}`,
      hint: error.hint,
    });
  }
}

let bundled: ActionSchema | undefined;

/** The schema that is part of this package: the API document's names and numbers. */
export function bundledSchema(): ActionSchema {
  bundled ??= loadSchema(readFileSync(BUNDLED, 'utf8'));
  return bundled;
}

function shapeOf(scope: NamespaceBase, { name, needs, faults }: { name: string; needs: Needs; faults: string[] }): Shape | undefined {
  const type = scope.get(name);
  if (type instanceof Type) return resolve(type, needs, faults);
  faults.push(`there is no message ${name}`);
  return undefined;
}

function errorsOf(receipt: Shape): ErrorNumbers {
  const numbers = receipt.fields.find(({ need }: Field) => need.type === 'code')?.numbers ?? new Map<string, number>();
  return { numbers, names: new Map([...numbers].reverse().map(([name, number]) => [number, name])) };
}
