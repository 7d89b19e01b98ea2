// Finds what JSON cannot represent in a value, and also too deep nesting and keys `__proto__`. JSON from outside that has one of these is refused.
import { MAX_DEPTH } from '../../base/text/json.ts';

/** Characters of a long path in a message. */
const SHOWN_PATH = 60;

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/**
 * Describes the first part of the value that JSON cannot represent; undefined if there is none. An undefined member of an object counts as absent.
 * `path` names the value in the message; `within`: the values that contain it, outermost first.
 */
export function jsonFault(value: unknown, path: string, within: readonly unknown[] = []): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${path} is ${value}`;
  if (typeof value !== 'object') return `${path} is ${value === undefined ? 'undefined' : `a ${typeof value}`}`;
  if (within.includes(value)) return `${path} contains itself`;
  if (within.length >= MAX_DEPTH) return `${path.slice(0, SHOWN_PATH)}… is nested deeper than ${MAX_DEPTH} levels`;
  const inner = [...within, value];
  if (Array.isArray(value)) return firstFault(value.map((member: unknown, index) => jsonFault(member, `${path}[${index}]`, inner)));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return `${path} is an object of a class`;
  if (Object.hasOwn(value, '__proto__')) return `${path} has a key "__proto__"`; // a copy of it would change its prototype
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return firstFault(members.map(([key, member]) => jsonFault(member, `${path}.${key}`, inner)));
}

const firstFault = (faults: readonly (string | undefined)[]): string | undefined => faults.find((fault) => fault !== undefined);
