// Client of the page's API: exchanges the link's secret, loads the state, opens the event stream, sends requests.
import type { PageEvent, PageHistory, PageState, ReplayMove, RunList, StopMode } from '../../contract.ts';

/** A failed request; `status` is the HTTP status, 0 if there was no answer. */
export class FailedRequest extends Error {
  override readonly name = 'Refusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const runQuery = (run: string | undefined): string => (run === undefined ? '' : `run=${encodeURIComponent(run)}`);

async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(path, { credentials: 'same-origin', cache: 'no-store', ...init }).catch(() => undefined);
  if (response === undefined) throw new FailedRequest(0, 'the server of this page does not answer');
  const body = (await response.json().catch(() => ({}))) as { message?: string; hint?: string };
  if (response.ok) return body as T;
  throw new FailedRequest(
    response.status,
    [body.message ?? `status ${response.status}`, body.hint].filter((part) => part !== undefined).join(': '),
  );
}

const post = <T>(path: string, body: unknown): Promise<T> =>
  ask(path, { method: 'POST', headers: { 'content-type': 'application/json', 'x-tickwright': '1' }, body: JSON.stringify(body) });

/** If the address has a secret, removes it from the address bar and posts it. */
export async function redeemLink(): Promise<void> {
  const secret = location.hash.slice(1);
  if (secret === '') return;
  history.replaceState(undefined, '', `${location.pathname}${location.search}`);
  await post('/api/link', { secret });
}

export const getState = (run: string | undefined): Promise<PageState> => ask(`/api/state?${runQuery(run)}`);
/** Loads the list of runs; an object without fields if the page is of one run. */
export const getRuns = (): Promise<Partial<RunList>> => ask('/api/runs');
/** Loads the profit by day; an object without fields if the run has no history. */
export const getHistory = (run: string | undefined): Promise<Partial<PageHistory>> => ask(`/api/history?${runQuery(run)}`);
export const getWhy = (run: string | undefined, order: string): Promise<OrderExplanation> =>
  ask(`/api/why/${encodeURIComponent(order)}?${runQuery(run)}`);
export const stopRun = (run: string | undefined, mode: StopMode): Promise<unknown> => post(`/api/stop?${runQuery(run)}`, { mode });
export const moveReplay = (run: string | undefined, move: ReplayMove): Promise<unknown> => post(`/api/replay?${runQuery(run)}`, move);

export interface OrderExplanation {
  readonly clientOrderId: string;
  readonly orderId?: string;
  readonly steps: readonly { readonly at: string; readonly step: string; readonly text: string }[];
}

interface Listener {
  readonly event: (event: PageEvent) => void;
  /** Called when the state has to be loaded again. */
  readonly reset: () => void;
  readonly disconnected: (isDisconnected: boolean) => void;
}

/** Opens the stream of the events after `from`; the browser reconnects by itself. Returns a function that closes the stream. */
export function openStream(run: string | undefined, from: number, { event, reset, disconnected }: Listener): () => void {
  const source = new EventSource(`/api/stream?from=${from}&${runQuery(run)}`);
  source.addEventListener('open', () => disconnected(false));
  source.addEventListener('error', () => disconnected(true));
  source.addEventListener('message', ({ data }: MessageEvent<string>) => {
    const message = JSON.parse(data) as PageEvent | { readonly kind: 'reset' };
    if (message.kind === 'reset') reset();
    else event(message);
  });
  return () => source.close();
}
