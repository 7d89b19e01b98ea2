// The sizes of all collections that an object reaches: through its fields, its private fields and the variables of its functions. It reads them through the
// The sizes of all collections that an object reaches: through its fields, its private fields and the variables of its functions, which it reads
import { type Runtime, Session } from 'node:inspector';

/** Prefix of vitest's names of imported modules, which no object owns. */
const IMPORTED = '__vite_ssr_';
/** Number of entries that are visited at each end of a large collection. */
const LOOKED_INTO = 4;

type Sizes = Map<string, number>;

/** Returns true for a value that the walk does not enter. */
type Skips = (value: object) => boolean;

/**
 * The size of everything that `roots` reach, by its path: entries of a Map, Set or array, bytes of a binary, characters of a text; the largest size if
 * several values have the same path. `skips` returns true for values that are not visited, because others own them.
 */
export function collectionSizes(roots: Readonly<Record<string, object>>, skips: Skips = () => false): ReadonlyMap<string, number> {
  const walk = new Walk(skips);
  try {
    return walk.from(roots);
  } finally {
    walk.close();
  }
}

interface Found {
  readonly path: string;
  readonly value: unknown;
}

/** With a field that the types of Node lack. */
interface Properties extends Runtime.GetPropertiesReturnType {
  readonly privateProperties?: readonly { readonly name: string; readonly value?: Runtime.RemoteObject | undefined }[];
}

class Walk {
  readonly #session = new Session();
  readonly #skips: Skips;
  readonly #sizes: Sizes = new Map();
  readonly #seen = new Set<object>();
  /** A queue: a value that is reached on two paths gets the shorter one. */
  readonly #waiting: Found[] = [];

  constructor(skips: Skips) {
    this.#skips = skips;
    this.#session.connect();
    HANDED.clear();
    Object.assign(globalThis, { [HAND]: (key: number, values: unknown[]) => void HANDED.set(key, values), [TAKE]: () => taken });
  }

  from(roots: Readonly<Record<string, object>>): ReadonlyMap<string, number> {
    for (const [path, value] of Object.entries(roots)) this.#waiting.push({ path, value });
    for (let next = 0; next < this.#waiting.length; next++) this.#visit(this.#waiting[next] as Found);
    return this.#sizes;
  }

  close(): void {
    this.#session.disconnect();
    taken = undefined;
    HANDED.clear();
  }

  #visit({ path, value }: Found): void {
    if (typeof value === 'string') return this.#measure(path, value.length);
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return;
    if (value === globalThis || value === process || this.#seen.has(value) || this.#skips(value)) return;
    this.#seen.add(value);
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return this.#measure(path, value.byteLength);
    if (Array.isArray(value)) return this.#entries(path, value);
    if (value instanceof Map) {
      this.#entries(`${path}.keys`, [...value.keys()]);
      return this.#entries(path, [...value.values()]);
    }
    if (value instanceof Set) return this.#entries(path, [...value]);
    this.#fields(path, value);
  }

  #entries(path: string, entries: readonly unknown[]): void {
    this.#measure(path, entries.length);
    const some = entries.length <= 2 * LOOKED_INTO ? entries : [...entries.slice(0, LOOKED_INTO), ...entries.slice(-LOOKED_INTO)];
    for (const value of some) this.#waiting.push({ path: `${path}[]`, value });
  }

  #fields(path: string, value: object): void {
    for (const key of Reflect.ownKeys(value)) {
      const field = Object.getOwnPropertyDescriptor(value, key);
      if (field !== undefined && 'value' in field) this.#waiting.push({ path: `${path}.${String(key)}`, value: field.value });
    }
    const isPlain = Object.getPrototypeOf(value) === Object.prototype;
    if (!isPlain) for (const [name, held] of this.#hidden(value)) this.#waiting.push({ path: `${path}.${name}`, value: held });
  }

  /** The private fields of an object, and the variables that a function closes over. */
  #hidden(value: object): readonly (readonly [string, unknown])[] {
    taken = value;
    const { result } = this.#post('Runtime.evaluate', {
      expression: `globalThis[Symbol.for('${NAME}.take')]()`,
    }) as Runtime.EvaluateReturnType;
    const own = this.#properties(result.objectId);
    const fields = (own.privateProperties ?? []).flatMap(({ name, value: held }) => (held === undefined ? [] : [{ name, held }]));
    const values = this.#real(fields.map(({ held }) => held));
    const hidden: (readonly [string, unknown])[] = fields.map(({ name }, index) => [name, values[index]]);
    const scopes = own.internalProperties?.find(({ name }) => name === '[[Scopes]]')?.value?.objectId;
    if (scopes !== undefined) hidden.push(...this.#closedOver(scopes));
    const bound = own.internalProperties?.filter(({ name }) => name === '[[BoundThis]]' || name === '[[TargetFunction]]') ?? [];
    for (const { name, value: held } of bound) if (held !== undefined) hidden.push([name, this.#real([held])[0]]);
    this.#post('Runtime.releaseObjectGroup', { objectGroup: '' });
    return hidden;
  }

  #closedOver(scopes: string): readonly (readonly [string, unknown])[] {
    return this.#properties(scopes).result.flatMap(({ value: scope }) => {
      if (scope?.description === undefined || !/^(Closure|Block|Catch|With)/.test(scope.description)) return [];
      const variables = this.#properties(scope.objectId).result.flatMap(({ name, value: held }) =>
        held === undefined || name.startsWith(IMPORTED) ? [] : [{ name, held }],
      );
      const values = this.#real(variables.map(({ held }) => held));
      return variables.map(({ name }, index) => [`(${name})`, values[index]] as const);
    });
  }

  #properties(objectId: string | undefined): Properties {
    return this.#post('Runtime.getProperties', { objectId, ownProperties: true }) as Properties;
  }

  /** The values of the inspector's remote objects. */
  #real(remote: readonly Runtime.RemoteObject[]): readonly unknown[] {
    const first = remote.find(({ objectId }) => objectId !== undefined);
    if (first === undefined) return remote.map(({ value }) => value as unknown);
    const asked = remote.map(({ objectId, value }) => (objectId === undefined ? { value: value as unknown } : { objectId }));
    this.#post('Runtime.callFunctionOn', {
      objectId: first.objectId,
      functionDeclaration: `function (...values) { globalThis[Symbol.for('${NAME}.hand')](0, values); }`,
      arguments: asked,
    });
    return HANDED.get(0) ?? [];
  }

  #measure(path: string, size: number): void {
    this.#sizes.set(path, Math.max(size, this.#sizes.get(path) ?? 0));
  }

  /** Calls the inspector, which answers synchronously on its own thread. */
  #post(method: string, params: object): unknown {
    let answer: object | undefined;
    let failed: Error | null = null;
    this.#session.post(method, params, (error, result) => {
      failed = error;
      answer = result;
    });
    if (failed !== null) throw new Error(`${method}: ${JSON.stringify(failed)}`);
    return answer;
  }
}

const NAME = 'test.collections';
const HAND = Symbol.for(`${NAME}.hand`);
const TAKE = Symbol.for(`${NAME}.take`);
const HANDED = new Map<number, readonly unknown[]>();
let taken: object | undefined;

/** The collections that grew by more than `slack`, as `path: before, after`. */
export function grown(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>, slack = 64): readonly string[] {
  return [...after].flatMap(([path, size]) =>
    size <= (before.get(path) ?? 0) + slack ? [] : [`${path}: ${before.get(path) ?? 0}, ${size}`],
  );
}
