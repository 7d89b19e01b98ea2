// Lists the changes from one schema to another, field by field, for a person who must decide whether to approve it.
import { Enum, type Field, Namespace, type NamespaceBase, type ReflectionObject, Type } from 'protobufjs';
import { parseProto } from './proto-text.ts';
import type { Shape } from './resolve.ts';

/**
 * Returns one line per change: `+` new, `-` gone, `~` another number or type. Empty if the two have the same content, whatever their comments and
 * layout. Either text may lack what is needed to trade; it must only parse (else a `UserError` of code `schema`).
 */
export function schemaDifferences(from: { readonly text: string }, to: { readonly text: string }): string[] {
  return changesOf(entriesOf(parseProto(from.text)), entriesOf(parseProto(to.text))).map(({ line }) => line);
}

/**
 * Returns the changes of the fields that this program uses, under its own names: `~ action.placeOrder.price: 5 became 6`. Empty if both schemas put
 * the same bytes on the wire, however differently their messages are nested, and whatever else they hold. Names of errors are not compared.
 */
export const usedChanges = (from: Used, to: Used): UsedChange[] => changesOf(usedEntries(from), usedEntries(to));

/** `moved`: another number or type. */
export interface UsedChange {
  readonly kind: 'added' | 'removed' | 'moved';
  readonly line: string;
}

interface Used {
  readonly action: Shape;
  readonly receipt: Shape;
}

function usedEntries({ action, receipt }: Used): Map<string, string> {
  const entries = new Map<string, string>();
  const visit = (shape: Shape, path: string): void => {
    for (const { key, number, need, numbers, shape: nested } of shape.fields) {
      entries.set(`${path}.${key}`, `${number}`);
      if (nested !== undefined) visit(nested, `${path}.${key}`);
      if (need.type !== 'code') for (const [word, value] of numbers) entries.set(`${path}.${key}.${word}`, `${value}`);
    }
  };
  visit(action, 'action');
  visit(receipt, 'receipt');
  return entries;
}

function changesOf(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): UsedChange[] {
  const found: UsedChange[] = [];
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(name), after.get(name)];
    if (was === is) continue;
    if (was === undefined) found.push({ kind: 'added', line: `+ ${name}: ${is}` });
    else if (is === undefined) found.push({ kind: 'removed', line: `- ${name}: ${was}` });
    else found.push({ kind: 'moved', line: `~ ${name}: ${was} became ${is}` });
  }
  return found.sort((a, b) => a.line.slice(2).localeCompare(b.line.slice(2), 'en'));
}

/** `Action.PlaceOrder.price` → `uint64 = 5`, for every field and every enum value. */
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

function fieldText(field: Field): string {
  const oneof = field.partOf !== null && !field.partOf.isProto3Optional ? `, one of ${field.partOf.name}` : '';
  const rule = field.map ? 'map of ' : field.repeated ? 'repeated ' : field.partOf?.isProto3Optional === true ? 'optional ' : '';
  return `${rule}${field.type} = ${field.id}${oneof}`;
}
