// The action schema: the protobuf text that gives the fields of an action their numbers on the wire. Loads one, and compares it with the one that the exchange
// publishes.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type NamespaceBase, Type } from 'protobufjs';
import { UserError } from '../../../base/errors.ts';
import { PACKAGE_FOLDER, PROGRAM } from '../../../base/package.ts';
import { type UsedChange, usedChanges } from './differences.ts';
import { ACTION, type MessageSpec, RECEIPT } from './needs.ts';
import { parseProto } from './proto-text.ts';
import { commonShape, type Field, resolve, type Shape } from './resolve.ts';

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
 * another type: with a wrong schema, an order would not be refused, but would mean something else.
 */
export function loadSchema(text: string): ActionSchema {
  const scope = parseProto(text);
  const faults: string[] = [];
  const action = shapeOf(scope, { name: 'Action', specs: ACTION, faults });
  const receipt = shapeOf(scope, { name: 'Receipt', specs: RECEIPT, faults });
  if (action === undefined || receipt === undefined || faults.length > 0) {
    throw new UserError({
      code: 'schema',
      message: `the action schema cannot be used for trading: ${faults.join('; ')}`,
      hint: `use the exchange's own schema (\`${PROGRAM} schema show --url URL\`), or the bundled one`,
    });
  }
  return { text, hash: createHash('sha256').update(text).digest('hex'), action, receipt, errors: errorsOf(receipt) };
}

/** The kinds of actions that are written here. */
export type WrittenKind = 'createSession' | 'placeOrder' | 'cancelOrder';
const ALL_KINDS: readonly WrittenKind[] = ['createSession', 'placeOrder', 'cancelOrder'];

/** The differences between a schema in use and the published one in the parts that are used here; one line each. */
export interface Comparison {
  /** Fields whose bytes would mean something else to the other side. If there are any, nothing may be signed. */
  readonly conflicts: readonly string[];
  /** Fields that the exchange lacks and an action need not have. */
  readonly omitted: readonly string[];
  readonly others: readonly string[];
  /** The schema in use without what is omitted, to sign with if there are no conflicts. */
  readonly agreed: ActionSchema;
}

/**
 * Compares a schema in use with the text that the exchange publishes, for these kinds of actions: every field that may be written must have the same
 * number and type there, unless it is droppable and missing; and no number that is used may be another field's. Throws a `UserError` of code `exchange`
 * for text that is no schema.
 */
export function compareWithPublished(used: ActionSchema, text: string, kinds: readonly WrittenKind[] = ALL_KINDS): Comparison {
  const scope = parsePublished(text);
  const faults: string[] = [];
  const isCompared = (key: string): boolean => !ALL_KINDS.some((kind) => kind === key) || kinds.some((kind) => kind === key);
  const comparedSpecs = (specs: MessageSpec): MessageSpec => Object.fromEntries(Object.entries(specs).filter(([key]) => isCompared(key)));
  const action = shapeOf(scope, { name: 'Action', specs: comparedSpecs(ACTION), faults });
  const receipt = shapeOf(scope, { name: 'Receipt', specs: comparedSpecs(RECEIPT), faults });
  if (action === undefined || receipt === undefined || faults.length > 0)
    return { conflicts: faults, omitted: [], others: [], agreed: used };
  const comparedFields = (shape: Shape): Shape => ({ ...shape, fields: shape.fields.filter(({ key }) => isCompared(key)) });
  const changes = usedChanges({ action: comparedFields(used.action), receipt: comparedFields(used.receipt) }, { action, receipt });
  const linesOf = (wanted: UsedChange['kind']): string[] => changes.flatMap(({ kind, line }) => (kind === wanted ? [line] : []));
  return {
    conflicts: linesOf('conflict'),
    omitted: linesOf('omitted'),
    others: linesOf('other'),
    agreed: { ...used, action: commonShape(used.action, action) },
  };
}

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

/** Returns the schema that is part of this package: the names and numbers of the API document. */
export function bundledSchema(): ActionSchema {
  bundled ??= loadSchema(readFileSync(BUNDLED, 'utf8'));
  return bundled;
}

function shapeOf(scope: NamespaceBase, { name, specs, faults }: { name: string; specs: MessageSpec; faults: string[] }): Shape | undefined {
  const type = scope.get(name);
  if (type instanceof Type) return resolve(type, specs, faults);
  faults.push(`there is no message ${name}`);
  return undefined;
}

function errorsOf(receipt: Shape): ErrorNumbers {
  const numbers = receipt.fields.find(({ spec }: Field) => spec.type === 'code')?.numbers ?? new Map<string, number>();
  return { numbers, names: new Map([...numbers].reverse().map(([name, number]) => [number, name])) };
}
