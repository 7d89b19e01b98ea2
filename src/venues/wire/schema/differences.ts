// Lists the changes from one schema to another, field by field, for a person who must decide whether to approve it.
import { Enum, Namespace, type NamespaceBase, type Field as ProtoField, type ReflectionObject, Type } from 'protobufjs';
import { parseProto } from './proto-text.ts';
import type { Field, Shape } from './resolve.ts';

/**
 * Returns one line per change: `+` new, `-` gone, `~` another number or type. Empty if the two have the same content, whatever their comments and
 * layout. Either text may lack what is needed to trade; it must only parse (else a `UserError` of code `schema`).
 */
export function schemaDifferences(from: { readonly text: string }, to: { readonly text: string }): string[] {
  return changesOf(entriesOf(parseProto(from.text)), entriesOf(parseProto(to.text))).map(({ line }) => line);
}

/**
 * A change of what this program writes or reads. `conflict`: the same bytes mean something else to the exchange. `omitted`: the exchange lacks a field that an
 * action need not have.
 */
export interface UsedChange {
  readonly kind: 'conflict' | 'omitted' | 'other';
  readonly line: string;
}

interface Used {
  readonly action: Shape;
  readonly receipt: Shape;
}

/**
 * Returns the changes of the fields that this program uses, by the names that it uses: `~ action.placeOrder.price: 5 became 6`. Empty if both schemas put
 * the same bytes on the wire: the nesting of their messages and fields that are not used here do not count. Names of errors are not compared.
 */
export const usedChanges = (from: Used, to: Used): UsedChange[] =>
  [
    ...shapeChanges([from.action, to.action], { path: 'action', isWritten: true }),
    ...shapeChanges([from.receipt, to.receipt], { path: 'receipt', isWritten: false }),
  ].sort(byName);

/** Where two shapes are compared. */
interface Compared {
  readonly path: string;
  readonly isWritten: boolean;
}

function shapeChanges([from, to]: readonly [Shape, Shape], { path, isWritten }: Compared): UsedChange[] {
  const [before, after] = [from, to].map(({ fields }) => new Map(fields.map((field) => [field.key, field])));
  return [...new Set([...before!.keys(), ...after!.keys()])].flatMap((key) => {
    const [was, is] = [before!.get(key), after!.get(key)];
    const compared = { path: `${path}.${key}`, isWritten };
    if (was === undefined) return { kind: 'other', line: `+ ${compared.path}: ${is?.number}` };
    return is === undefined ? removal(was, to, compared) : fieldChanges([was, is], compared);
  });
}

/** Returns the change for a field that the other schema lacks. It is a conflict if another field there has its number or its name. */
function removal({ number, spec }: Field, to: Shape, { path, isWritten }: Compared): UsedChange {
  const other = to.others.get(number) ?? [...to.others.values()].find(({ name }) => spec.names.includes(name));
  if (other !== undefined) return { kind: 'conflict', line: `~ ${path}: ${number} became ${other.type} ${other.name} = ${other.number}` };
  const kind = spec.optional === 'droppable' ? 'omitted' : isWritten ? 'conflict' : 'other';
  return { kind, line: `- ${path}: ${number}` };
}

function fieldChanges([was, is]: readonly [Field, Field], compared: Compared): UsedChange[] {
  const { path } = compared;
  const own: UsedChange[] = was.number === is.number ? [] : [{ kind: 'conflict', line: `~ ${path}: ${was.number} became ${is.number}` }];
  if (was.spec.type === 'choice')
    for (const [word, value] of was.numbers)
      if (value !== is.numbers.get(word))
        own.push({ kind: 'conflict', line: `~ ${path}.${word}: ${value} became ${is.numbers.get(word)}` });
  return was.shape === undefined || is.shape === undefined ? own : [...own, ...shapeChanges([was.shape, is.shape], compared)];
}

function changesOf(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): { readonly line: string }[] {
  const found: { readonly line: string }[] = [];
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(name), after.get(name)];
    if (was === is) continue;
    if (was === undefined) found.push({ line: `+ ${name}: ${is}` });
    else if (is === undefined) found.push({ line: `- ${name}: ${was}` });
    else found.push({ line: `~ ${name}: ${was} became ${is}` });
  }
  return found.sort(byName);
}

const byName = (a: { readonly line: string }, b: { readonly line: string }): number => a.line.slice(2).localeCompare(b.line.slice(2), 'en');

/** Returns every field and enum value: `uint64 = 5` by `Action.PlaceOrder.price`. */
function entriesOf(scope: NamespaceBase): Map<string, string> {
  const entries = new Map<string, string>();
  const visit = (object: ReflectionObject, path: string): void => {
    if (object instanceof Enum) for (const [name, number] of Object.entries(object.values)) entries.set(`${path}.${name}`, `${number}`);
    if (object instanceof Type) for (const field of object.fieldsArray) entries.set(`${path}.${field.name}`, fieldText(field));
    if (object instanceof Namespace)
      for (const nested of object.nestedArray) visit(nested, path === '' ? nested.name : `${path}.${nested.name}`);
  };
  visit(scope, '');
  return entries;
}

function fieldText(field: ProtoField): string {
  const oneof = field.partOf !== null && !field.partOf.isProto3Optional ? `, one of ${field.partOf.name}` : '';
  const rule = field.map ? 'map of ' : field.repeated ? 'repeated ' : field.partOf?.isProto3Optional === true ? 'optional ' : '';
  return `${rule}${field.type} = ${field.id}${oneof}`;
}
