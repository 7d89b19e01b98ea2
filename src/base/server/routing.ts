// Finds the endpoint that answers a request, by a table of path templates.

import { groupBy } from '../collections/lists.ts';
import { assert } from '../errors.ts';
import { suggestion } from '../text/phrases.ts';
import type { Handler, HttpReply, HttpRequest } from '../transport/transport.ts';
import { badRequest, jsonReply, RefusedRequest, unchanged, type WriteRefusal } from './reply.ts';

type Placeholders<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never;

/** The reader of each query parameter of an endpoint. It returns the value, or throws `RefusedRequest` if the text is invalid. */
export interface Readers {
  readonly [parameter: string]: (text: string, name: string) => unknown;
}

/**
 * The arguments of an endpoint: the decoded text of each `{placeholder}`, the value of each query parameter that was sent, and the request itself.
 */
export interface Call<Path extends string, R extends Readers> {
  readonly path: Readonly<Record<Placeholders<Path>, string>>;
  readonly query: { readonly [K in keyof R]?: ReturnType<R[K]> };
  readonly request: HttpRequest;
}

export interface Route {
  readonly method: HttpRequest['method'];
  readonly segments: readonly string[];
  /** Undefined if any parameter is accepted, and none is read. */
  readonly query: Readers | undefined;
  readonly answer: (call: Call<string, Readers>) => HttpReply;
}

/** Returns a row of the table; `path` is written as in the API document, `/market/{market}/stats`. */
export function route<Path extends string, R extends Readers>({
  method = 'GET',
  path,
  query,
  anyQuery = false,
  answer,
}: {
  method?: HttpRequest['method'];
  path: Path;
  query?: R;
  /** True if any parameter is accepted, and none is read. */
  anyQuery?: boolean;
  answer: (call: Call<Path, R>) => HttpReply;
}): Route {
  return { method, segments: path.split('/'), query: anyQuery ? undefined : (query ?? {}), answer: answer as Route['answer'] };
}

/**
 * Returns a handler for the table. It answers with JSON: 404 for an unknown path, 405 for a known path with another method, 400 for an unknown or
 * repeated query parameter. `write` converts the body of each refusal to the API's format; by default it is sent as it is.
 */
export function routerOf(routes: readonly Route[], write: WriteRefusal = unchanged): Handler {
  const byKind = tableOf(routes);
  return (request) => {
    try {
      return dispatch(byKind, request);
    } catch (thrown) {
      if (thrown instanceof RefusedRequest) return jsonReply(write(thrown.body), thrown.status);
      throw thrown;
    }
  };
}

/** Routes by number of segments and first segment, so that a request is compared with few of them. */
type Table = ReadonlyMap<string, readonly Route[]>;

const kindOf = (segments: readonly string[]): string => `${segments.length}/${segments[1]}`;

function tableOf(routes: readonly Route[]): Table {
  for (const { segments } of routes) {
    assert(!isPlaceholder(segments[1] ?? ''), `the first segment of ${segments.join('/')} is a placeholder; it must be literal`);
  }
  return groupBy(routes, ({ segments }) => kindOf(segments));
}

function dispatch(table: Table, request: HttpRequest): HttpReply {
  const [path, query] = splitAtFirst(request.path, '?');
  const segments = path.split('/');
  const candidates = (table.get(kindOf(segments)) ?? []).filter((candidate) => matches(candidate.segments, segments));
  if (candidates.length === 0) throw new RefusedRequest(404, { message: 'unknown path' });
  const chosen = candidates.find(({ method }) => method === request.method);
  if (chosen === undefined)
    throw new RefusedRequest(405, { message: `only ${candidates.map(({ method }) => method).join(', ')} is served here` });
  return chosen.answer({
    path: placeholdersOf(chosen.segments, segments),
    query: chosen.query === undefined ? {} : queryOf(query, chosen.query),
    request,
  });
}

const isPlaceholder = (segment: string): boolean => segment.startsWith('{');

const matches = (template: readonly string[], segments: readonly string[]): boolean =>
  template.length === segments.length &&
  template.every((expected, index) => (isPlaceholder(expected) ? segments[index] !== '' : expected === segments[index]));

function placeholdersOf(template: readonly string[], segments: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  template.forEach((expected, index) => {
    if (isPlaceholder(expected)) found[expected.slice(1, -1)] = percentDecoded(segments[index] ?? '');
  });
  return found;
}

/** Reads the query. URLSearchParams is not used: it would read the `+` of a time zone as a space. */
function queryOf(text: string, readers: Readers): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  if (text === '') return found;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const [writtenName, writtenValue] = splitAtFirst(pair, '=');
    const [name, value] = [percentDecoded(writtenName), percentDecoded(writtenValue)];
    const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (read === undefined) throw badRequest(`unknown parameter "${name}": ${knownText(name, Object.keys(readers))}`);
    if (Object.hasOwn(found, name)) throw badRequest(`parameter ${name} is given twice`);
    found[name] = read(value, name);
  }
  return found;
}

/** Splits at the first `mark`. Without one: the whole text and an empty text. */
function splitAtFirst(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

const knownText = (name: string, known: readonly string[]): string =>
  known.length === 0 ? 'this path takes none' : suggestion(name, known);

/** Decodes the escapes of an address. Throws 400 if one is invalid. */
export function percentDecoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw badRequest('the address has a % that is not an escape');
  }
}
