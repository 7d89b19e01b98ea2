// Parses the text of a protobuf schema, which an exchange may have sent, into names and numbers. Nothing of it is ever compiled or run.
import { Enum, Namespace, type NamespaceBase, parse, type ReflectionObject, Type } from 'protobufjs';
import { messageOf, UserError } from '../../../base/errors.ts';
import { printable } from '../../../base/text/visible.ts';

/**
 * The parser's work grows with the square of the statements in one block; within these limits it ends within two seconds. The real schema uses a
 * fifth of them.
 */
const LIMITS = { characters: 256 * 1024, statements: 3000, blocks: 500, depth: 10 };

/**
 * Returns the package of a schema, every name in it resolved; the root if it names no package. Throws a `UserError` of code `schema` for text that
 * does not parse, imports another file, or is larger or deeper than any schema of an exchange. Options have no effect except `allow_alias`.
 */
export function parseProto(text: string): NamespaceBase {
  const oversize = oversizeOf(text);
  if (oversize !== undefined) throw notASchema(oversize);
  if (text.trimStart().startsWith('<')) throw notASchema('it is an HTML page');
  try {
    const { root, package: path, imports = [], weakImports = [] } = parse(text, { keepCase: true });
    const imported = [...imports, ...weakImports];
    if (imported.length > 0) throw new Error(`it imports ${JSON.stringify(imported[0])}, and only a schema in one file is read`);
    root.resolveAll();
    const scope =
      path === undefined
        ? root
        : path.split('.').reduce<ReflectionObject | null>((parent, name) => (parent instanceof Namespace ? parent.get(name) : null), root);
    if (!(scope instanceof Namespace)) throw new Error('it defines nothing');
    checkNumbers(scope);
    return scope;
  } catch (thrown) {
    throw notASchema(messageOf(thrown));
  }
}

/** Checks the ranges, because the parser takes any whole number: on the wire a field has 1 to 2^29 - 1, and an enum value 32 bits. */
function checkNumbers(scope: NamespaceBase): void {
  for (const object of scope.nestedArray) {
    if (object instanceof Type)
      for (const { name, id } of object.fieldsArray)
        if (!(Number.isSafeInteger(id) && id >= 1 && id < 2 ** 29))
          throw new Error(`the field ${object.name}.${name} has the number ${id}`);
    if (object instanceof Enum)
      for (const [name, value] of Object.entries(object.values))
        if (value !== Math.trunc(value) || Math.abs(value) >= 2 ** 31) throw new Error(`the value ${object.name}.${name} is ${value}`);
    if (object instanceof Namespace) checkNumbers(object);
  }
}

function notASchema(reason: string): UserError {
  return new UserError({
    code: 'schema',
    message: `the action schema cannot be read: ${printable(reason)}`,
    hint: 'it must be the text of one proto3 file',
  });
}

/** Returns why the text is too large; undefined if it is not. */
function oversizeOf(text: string): string | undefined {
  if (text.length > LIMITS.characters) return `it has ${text.length} characters, and at most ${LIMITS.characters} are accepted`;
  let [statements, blocks, depth] = [0, 0, 0];
  for (const character of text) {
    if (character === ';') statements++;
    else if (character === '}') depth--;
    else if (character === '{') {
      blocks++;
      depth++;
    }
    if (depth > LIMITS.depth) return `it nests deeper than ${LIMITS.depth} levels`;
  }
  if (statements > LIMITS.statements) return `it has ${statements} statements, and at most ${LIMITS.statements} are accepted`;
  return blocks > LIMITS.blocks ? `it has ${blocks} blocks, and at most ${LIMITS.blocks} are accepted` : undefined;
}
