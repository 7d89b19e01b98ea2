// Finds the needed messages and fields in a schema: each name becomes a number with a checked type, or a fault that says why it cannot be used.
import { Enum, type Field as ProtoField, Type } from 'protobufjs';
import { MAX_U64 } from '../../../base/wire/framing.ts';
import { type FieldSpec, type MessageSpec, mayBeOmitted } from './needs.ts';

/** One field that is written and read here. */
export interface Field {
  /** The name used here. */
  readonly key: string;
  /** The schema's name, for messages to people. */
  readonly name: string;
  readonly number: number;
  readonly spec: FieldSpec;
  /** The range of the schema's type. */
  readonly range: { readonly min: bigint; readonly max: bigint };
  /** True if absent and zero differ, so that a zero is written. */
  readonly presence: boolean;
  /** The shape of a nested message. */
  readonly shape: Shape | undefined;
  /** Of a `choice` (needs.ts): the schema's number of each word used here. Of a `code`: the number of every name of its enum. Empty for other types. */
  readonly numbers: ReadonlyMap<string, number>;
}

/** A field that the schema has and that is not used here. */
export interface OtherField {
  readonly name: string;
  /** The schema's type, for messages to people. */
  readonly type: string;
  readonly number: number;
  /** True if zero and absent mean the same. */
  readonly zeroIsAbsent: boolean;
  /** True if the field excludes the others of its oneof. */
  readonly inOneof: boolean;
}

/** A message of the schema, as far as it is needed. */
export interface Shape {
  readonly name: string;
  /** By number, ascending: the order in which they are written. */
  readonly fields: readonly Field[];
  readonly byNumber: ReadonlyMap<number, Field>;
  /** The keys that this schema does not have, or not with the expected type. A required one is a fault as well. */
  readonly lacking: ReadonlySet<string>;
  readonly others: ReadonlyMap<number, OtherField>;
}

/** Returns the shape of a message. Adds to `faults` one phrase for each required name that is missing or of another type. */
export function resolve(type: Type, specs: MessageSpec, faults: string[]): Shape {
  const fields: Field[] = [];
  const lacking = new Set<string>();
  for (const [key, spec] of Object.entries(specs)) {
    const fieldFaults: string[] = [];
    const field = resolveField(type, key, spec, fieldFaults);
    if (field !== undefined && fieldFaults.length === 0) fields.push(field);
    else lacking.add(key);
    if (spec.optional === false) faults.push(...fieldFaults);
  }
  fields.sort((a, b) => a.number - b.number);
  const byNumber = numbered(fields);
  const others = type.fieldsArray.filter((field) => !byNumber.has(field.id)).map(otherField);
  return { name: nameOf(type), fields, byNumber, lacking, others: new Map(others.map((other) => [other.number, other])) };
}

/** Returns the shape without the fields that the other one lacks, also in nested messages. */
export function commonShape(shape: Shape, other: Shape): Shape {
  const lacking = new Set(shape.lacking);
  const fields = shape.fields.flatMap((field): Field[] => {
    const there = other.fields.find(({ key }) => key === field.key);
    if (there !== undefined) return [{ ...field, shape: field.shape && there.shape && commonShape(field.shape, there.shape) }];
    lacking.add(field.key);
    return [];
  });
  return { ...shape, fields, byNumber: numbered(fields), lacking };
}

const numbered = (fields: readonly Field[]): ReadonlyMap<number, Field> => new Map(fields.map((field) => [field.number, field]));

function resolveField(type: Type, key: string, spec: FieldSpec, faults: string[]): Field | undefined {
  const found = spec.names.find((name) => Object.hasOwn(type.fields, name));
  const field = found === undefined ? undefined : type.fields[found];
  if (field === undefined) {
    faults.push(`${nameOf(type)} has no ${spec.names.join(' or ')}`);
    return undefined;
  }
  const fault = typeFault(field, spec);
  if (fault !== undefined) faults.push(`${nameOf(type)}.${field.name} is ${typeText(field)}, not ${fault}`);
  const shape = spec.type === 'message' && fault === undefined ? resolve(field.resolvedType as Type, spec.specs, faults) : undefined;
  return {
    key,
    name: field.name,
    number: field.id,
    spec,
    range: RANGES[field.type] ?? INT32,
    presence: mayBeOmitted(spec) || distinguishesAbsent(field),
    shape,
    numbers: fault === undefined ? numbersOf(field, spec, faults) : new Map(),
  };
}

const PROTO_TYPES = {
  id: ['uint64'],
  amount: ['uint64'],
  u32: ['uint32'],
  integer: ['int64', 'uint64', 'int32', 'uint32'],
  key: ['bytes'],
  flag: ['bool'],
} as const;

const INT32 = { min: -(2n ** 31n), max: 2n ** 31n - 1n }; // enums too
const RANGES: Readonly<Record<string, { min: bigint; max: bigint }>> = {
  bool: { min: 0n, max: 1n },
  uint32: { min: 0n, max: 2n ** 32n - 1n },
  int64: { min: -(2n ** 63n), max: 2n ** 63n - 1n },
  uint64: { min: 0n, max: MAX_U64 },
};

/** Returns what the field should have been, in words; undefined if it is correct. */
function typeFault(field: ProtoField, spec: FieldSpec): string | undefined {
  if (field.map) return 'a plain field';
  if (field.repeated !== (spec.type === 'message' && spec.repeated)) return field.repeated ? 'a single value' : 'repeated';
  switch (spec.type) {
    case 'message':
      return field.resolvedType === null || field.resolvedType instanceof Enum || field.delimited ? 'a message' : undefined;
    case 'choice':
      return field.resolvedType instanceof Enum ? undefined : 'an enum';
    case 'code':
      return field.resolvedType instanceof Enum && field.hasPresence ? undefined : 'an enum inside a oneof';
    case 'id':
    case 'amount':
    case 'u32':
    case 'integer':
    case 'key':
    case 'flag': {
      const accepted: readonly string[] = PROTO_TYPES[spec.type];
      return accepted.includes(field.type) ? undefined : accepted.join(' or ');
    }
  }
}

/** Returns the numbers of a choice or a code. Adds to `faults` a word that the enum lacks, and two words with one number. */
function numbersOf(field: ProtoField, spec: FieldSpec, faults: string[]): ReadonlyMap<string, number> {
  const numberOf = new Map(field.resolvedType instanceof Enum ? Object.entries(field.resolvedType.values) : []);
  if (spec.type !== 'choice') return numberOf;
  const numbers = new Map<string, number>();
  for (const [word, name] of Object.entries(spec.values)) {
    const number = numberOf.get(name);
    if (number === undefined) faults.push(`${field.type} has no ${name}`);
    else numbers.set(word, number);
  }
  if (new Set(numbers.values()).size < numbers.size)
    faults.push(`${field.type} gives one number to two of ${Object.values(spec.values).join(', ')}`);
  return numbers;
}

/** True if absent and zero differ on the wire; for a message they always do. */
const distinguishesAbsent = (field: ProtoField): boolean => field.hasPresence || field.resolvedType instanceof Type;

const otherField = (field: ProtoField): OtherField => ({
  name: field.name,
  type: typeText(field),
  number: field.id,
  zeroIsAbsent: !distinguishesAbsent(field) && !field.repeated && !field.map,
  inOneof: field.partOf !== null && !field.partOf.isProto3Optional,
});

/** Returns the name without the package: `Action.PlaceOrder`. */
function nameOf(type: Type): string {
  const { parent } = type;
  return parent instanceof Type ? `${nameOf(parent)}.${type.name}` : type.name;
}

const typeText = (field: ProtoField): string => `${field.map ? 'map of ' : field.repeated ? 'repeated ' : ''}${field.type}`;
