// The HTTP routes of the page: its files; the login, which exchanges the secret of the link for a cookie; and, with the cookie, the state and events
// of a run, stopping a run, and moving a replay.

import { z } from 'zod';
import { messageOf, UserError } from '../../../base/errors.ts';
import { badRequest, bytesReply, jsonReply, RefusedRequest } from '../../../base/server/reply.ts';
import { route, routerOf } from '../../../base/server/routing.ts';
import { JSON_LIMITS, readJson } from '../../../base/text/json.ts';
import type { Handler, HttpReply, HttpRequest } from '../../../base/transport/transport.ts';
import type { RunHistory } from '../../../bot/run/core/history-file.ts';
import type { Access } from './access.ts';
import type { Asset } from './assets.ts';
import { linkShape, moveShape, type PageState, type ReplayMove, type RunList, type StopMode, stopShape } from './contract.ts';
import type { EventStream } from './stream.ts';

/** A run that the page can show. */
export interface PageSource {
  readonly stream: EventStream;
  state(): PageState;
  /** Resolves with the output of `why` for an order, as JSON. Rejects with a UserError if there is no such order. */
  why(order: string): Promise<unknown>;
  /** Makes the mode of the run stricter; absent if the page is read-only. */
  readonly stop?: ((mode: StopMode) => void) | undefined;
  /** The profit of the run since its first turn, by day; absent or undefined if it is not known. */
  readonly history?: (() => RunHistory | undefined) | undefined;
  /** Moves the replay; absent for a live run. */
  readonly move?: ((move: ReplayMove) => void) | undefined;
}

export interface PageSources {
  /** Lists the runs that can be opened; absent if there is only one. */
  readonly list?: (() => RunList) | undefined;
  /** Opens a run by name; without a name, the only one. Rejects with a UserError if it cannot be opened. */
  open(run: string | undefined): Promise<PageSource>;
}

export interface PageApiOptions {
  readonly access: Access;
  readonly sources: PageSources;
  /** Loads the files of the page, by path. */
  readonly assets: () => Promise<ReadonlyMap<string, Asset>>;
}

const MAX_BODY = 1_024;
const MAX_CLIENTS = 8;
/** Reads a parameter of a query as it is. */
const text = (value: string): string => value;

/** Returns the handler of all routes. Every route but the files and the login needs the cookie. */
export function pageApi({ access, sources, assets }: PageApiOptions): Handler {
  const streams = { open: 0 };
  const requireCookie = (request: HttpRequest): void => requireSession(request, access);
  return routerOf([
    ...['/', '/page.js', '/page.css', '/favicon.svg'].map((path) =>
      route({ path, query: { run: text }, answer: () => later(assets().then((files) => assetReply(files.get(path)))) }),
    ),
    route({ method: 'POST', path: '/api/link', answer: ({ request }) => login(access, request) }),
    route({
      path: '/api/runs',
      answer: ({ request }) => {
        requireCookie(request);
        return textJson(sources.list?.() ?? {});
      },
    }),
    route({
      path: '/api/state',
      query: { run: text },
      answer: ({ request, query }) => {
        requireCookie(request);
        return later(sources.open(query.run).then((source) => textJson(source.state())));
      },
    }),
    route({
      path: '/api/stream',
      query: { run: text, from: numberOf },
      answer: ({ request, query }) => {
        requireCookie(request);
        if (streams.open >= MAX_CLIENTS)
          throw new RefusedRequest(503, { message: `${MAX_CLIENTS} pages are open already; close one of them` });
        const from = Number(headerOf(request, 'last-event-id') ?? query.from ?? -1);
        return later(sources.open(query.run).then((source) => streamReply(source, { from, streams })));
      },
    }),
    route({
      path: '/api/history',
      query: { run: text },
      answer: ({ request, query }) => {
        requireCookie(request);
        return later(sources.open(query.run).then((source) => textJson(source.history?.() ?? {})));
      },
    }),
    route({
      path: '/api/why/{order}',
      query: { run: text },
      answer: ({ request, query, path }) => {
        requireCookie(request);
        return later(sources.open(query.run).then(async (source) => textJson(await source.why(path.order))));
      },
    }),
    ...commandRoutes(sources, requireCookie),
  ]);
}

/** The routes that stop a run or move a replay. */
const commandRoutes = (sources: PageSources, requireCookie: (request: HttpRequest) => void) =>
  [
    route({
      method: 'POST',
      path: '/api/stop',
      query: { run: text },
      answer: ({ request, query }) => {
        const { mode } = bodyOf(request, stopShape);
        requireCookie(request);
        return later(sources.open(query.run).then((source) => stopRun(source, mode)));
      },
    }),
    route({
      method: 'POST',
      path: '/api/replay',
      query: { run: text },
      answer: ({ request, query }) => {
        const move = bodyOf(request, moveShape);
        requireCookie(request);
        return later(sources.open(query.run).then((source) => moveReplay(source, move)));
      },
    }),
  ] as const;

function requireSession(request: HttpRequest, access: Access): void {
  if (!access.hasSession(headerOf(request, 'cookie')))
    throw new RefusedRequest(401, { message: 'open the page with the link that the bot printed' });
}

function login(access: Access, request: HttpRequest): HttpReply {
  const { secret } = bodyOf(request, linkShape);
  const cookie = access.login(secret);
  if (cookie === undefined)
    throw new RefusedRequest(401, { message: 'this link was used already, or has expired; bot ui link makes a new one' });
  return { ...jsonReply({ opened: true }), headers: { 'set-cookie': cookie } };
}

/**
 * Returns the body of a POST. Prevents cross-site requests: to send the header `x-tickwright` or JSON, another site needs a CORS preflight, which this server
 * never allows. Throws a RefusedRequest.
 */
function bodyOf<T>(request: HttpRequest, shape: z.ZodType<T>): T {
  if (headerOf(request, 'x-tickwright') !== '1') throw new RefusedRequest(403, { message: 'the header x-tickwright: 1 is missing' });
  if (!/^application\/json(;|$)/i.test(request.contentType ?? ''))
    throw new RefusedRequest(415, { message: 'the body must be application/json' });
  const body = request.body ?? new Uint8Array();
  if (body.length > MAX_BODY) throw new RefusedRequest(413, { message: `a body has at most ${MAX_BODY} bytes`, limit: MAX_BODY });
  try {
    return shape.parse(readJson(body, JSON_LIMITS.request));
  } catch (error) {
    throw badRequest(error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error));
  }
}

function headerOf({ headers = {} }: HttpRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

function numberOf(value: string, name: string): number {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw badRequest(`${name} must be a whole number`);
}

function streamReply(source: PageSource, { from, streams }: { from: number; streams: { open: number } }): HttpReply {
  return {
    ...bytesReply('text/event-stream', new Uint8Array()),
    stream: (to) => {
      streams.open += 1;
      to.whenClosed(() => {
        streams.open -= 1;
      });
      source.stream.open(to, from);
    },
  };
}

function stopRun(source: PageSource, mode: StopMode): HttpReply {
  if (source.stop === undefined)
    throw new RefusedRequest(403, { message: 'this page is read-only; start it with --ui-control to stop the run from here' });
  source.stop(mode);
  return jsonReply({ mode }, 202);
}

function moveReplay(source: PageSource, move: ReplayMove): HttpReply {
  if (source.move === undefined) throw new RefusedRequest(409, { message: 'this run is not a recording; only a replay can be moved' });
  source.move(move);
  return jsonReply({ moved: true }, 202);
}

function assetReply(asset: Asset | undefined): HttpReply {
  if (asset === undefined) throw new RefusedRequest(404, { message: 'unknown path' });
  return bytesReply(asset.contentType, asset.body);
}

/** Replies with JSON. Doubles are precise enough, because money is text. */
const textJson = (value: unknown): HttpReply => ({
  status: 200,
  contentType: 'application/json',
  body: new TextEncoder().encode(JSON.stringify(value)),
});

/** A reply that is sent when the promise resolves. A refusal or a UserError becomes a reply too. */
const later = (reply: Promise<HttpReply>): HttpReply => ({ ...jsonReply({}), later: reply.catch(refusalOf) });

function refusalOf(error: unknown): HttpReply {
  if (error instanceof RefusedRequest) return jsonReply(error.body, error.status);
  if (!(error instanceof UserError)) throw error;
  const { message, hint } = error;
  return jsonReply({ message, hint }, 404);
}
