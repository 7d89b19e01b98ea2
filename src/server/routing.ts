// From a request to the endpoint that answers it, by a table of path templates.
import { suggestion } from '../base/nearest.ts';
import type { Handler, HttpReply, HttpRequest } from '../base/transport.ts';
import { asItIs, badRequest, jsonReply, Refused, type WriteRefusal } from './reply.ts';

type Placeholders<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never;

/** How each query parameter that an endpoint knows is read; a reader throws `Refused` where the text is not what it should be. */
export interface Readers {
  readonly [parameter: string]: (text: string, name: string) => unknown;
}

/** What an endpoint is given: the text of each `{placeholder}`, its escapes decoded, the value of each query parameter that was sent, and the request itself. */
export interface Call<Path extends string, R extends Readers> {
  readonly path: Readonly<Record<Placeholders<Path>, string>>;
  readonly query: { readonly [K in keyof R]?: ReturnType<R[K]> };
  readonly request: HttpRequest;
}

export interface Route {
  readonly method: HttpRequest['method'];
  readonly segments: readonly string[];
  readonly query: Readers;
  readonly answer: (call: Call<string, Readers>) => HttpReply;
}

/** One row of the table; `path` is written as in the interface document, `/market/{market}/stats`. */
export function route<Path extends string, R extends Readers>({
  method = 'GET',
  path,
  query,
  answer,
}: {
  method?: HttpRequest['method'];
  path: Path;
  query?: R;
  answer: (call: Call<Path, R>) => HttpReply;
}): Route {
  return { method, segments: path.split('/'), query: query ?? {}, answer: answer as Route['answer'] };
}

/** A handler over the table. An unknown path is 404, a known path with another method 405, an unknown or repeated query parameter 400: JSON each. */
export function routed(routes: readonly Route[], write: WriteRefusal = asItIs): Handler {
  return (request) => {
    try {
      return dispatch(routes, request);
    } catch (thrown) {
      if (thrown instanceof Refused) return jsonReply(write(thrown.body), thrown.status);
      throw thrown;
    }
  };
}

function dispatch(routes: readonly Route[], request: HttpRequest): HttpReply {
  const [path = '', ...queries] = request.path.split('?');
  const segments = path.split('/');
  const here = routes.filter((candidate) => matches(candidate.segments, segments));
  if (here.length === 0) throw new Refused(404, { message: 'there is nothing at this path' });
  const chosen = here.find(({ method }) => method === request.method);
  if (chosen === undefined) throw new Refused(405, { message: `only ${here.map(({ method }) => method).join(', ')} is served here` });
  return chosen.answer({ path: placeholdersOf(chosen.segments, segments), query: queryOf(queries.join('?'), chosen.query), request });
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

/** Not URLSearchParams, which would read the `+` of a time zone as a space. */
function queryOf(text: string, readers: Readers): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const pair of text.split('&').filter((part) => part !== '')) {
    const [name = '', ...value] = pair.split('=').map(percentDecoded);
    const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (read === undefined) throw badRequest(`unknown parameter "${name}": ${whatIsKnown(name, Object.keys(readers))}`);
    if (Object.hasOwn(found, name)) throw badRequest(`parameter ${name} is given twice`);
    found[name] = read(value.join('='), name);
  }
  return found;
}

const whatIsKnown = (name: string, known: readonly string[]): string =>
  known.length === 0 ? 'this path takes none' : suggestion(name, known);

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badRequest('the address has a % that is not an escape');
  }
}
