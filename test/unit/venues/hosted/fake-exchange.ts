// A hosted exchange with scripted answers and scripted network faults, on virtual time.
import type { Millis, VirtualClock } from '../../../../src/base/clock.ts';
import { type HttpReply, type HttpRequest, type Transport, TransportError } from '../../../../src/base/transport/transport.ts';
import { sessionMessage, toBase58, verify } from '../../../../src/base/wire/ed25519.ts';
import { splitSigned } from '../../../../src/base/wire/framing.ts';
import type { SessionId } from '../../../../src/bot/domain/ids.ts';
import { ActionCodec, type Receipt, type WireAction } from '../../../../src/venues/wire/codec.ts';
import { type ActionSchema, bundledSchema } from '../../../../src/venues/wire/schema/schema.ts';

/** The fault of one request; `reply` replaces the answer of the exchange. */
export interface NetworkFault {
  readonly lost?: 'request' | 'reply' | undefined;
  readonly refused?: boolean | undefined;
  /** The connection is reset after the request was sent. */
  readonly reset?: boolean | undefined;
  readonly lateMs?: Millis | undefined;
  readonly reply?: { readonly status?: number; readonly body: string | Uint8Array; readonly retryAfter?: number } | undefined;
}

export interface FakeSession {
  readonly user: string;
  readonly publicKey: Uint8Array;
  /** Engine seconds. */
  readonly expires: number;
}

const ONE_WAY: Millis = 5;

export class FakeExchange implements Transport {
  readonly codec: ActionCodec;
  /** Every action that arrived, in order. */
  readonly actions: WireAction[] = [];
  /** Paths of all requests, in the order of sending. */
  readonly requests: string[] = [];
  readonly sessions = new Map<SessionId, FakeSession>();
  /** Sessions that only the list of a user shows. */
  readonly listed = new Map<SessionId, FakeSession>();
  /** Accounts of each user, by public key. */
  readonly users = new Map<string, readonly number[]>();
  /** Bodies of GET requests, by path without query; undefined is 404. */
  readonly pages = new Map<string, () => unknown>();
  /** Chooses the fault of a request; undefined: none. */
  fault: (request: HttpRequest) => NetworkFault | undefined = () => undefined;
  /** The answer of the exchange to an order or a cancel of a live session. */
  answer: (action: WireAction) => Receipt = accepted;
  /** How far the engine's clock is ahead, in seconds. */
  offsetSeconds = 0;
  /** Refuses actions whose time differs by more than this from the engine's, in seconds. */
  windowSeconds = Number.POSITIVE_INFINITY;
  /** True: the list of sessions still shows expired ones. */
  listsEnded = false;
  longestSession = 10 * 365 * 86_400;
  nextSessionId = 1n;
  createsUsers = false;
  actionsInFlight = 0;
  mostActionsInFlight = 0;
  readonly #clock: VirtualClock;

  constructor(clock: VirtualClock, schema: ActionSchema = bundledSchema()) {
    this.#clock = clock;
    this.codec = new ActionCodec(schema);
    this.pages.set('/timestamp', () => this.now());
  }

  now(): number {
    return Math.floor(this.#clock.now() / 1_000) + this.offsetSeconds;
  }

  orders(): WireAction[] {
    return this.actions.filter(({ kind }) => kind !== 'createSession');
  }

  openings(): WireAction[] {
    return this.actions.filter(({ kind }) => kind === 'createSession');
  }

  request(request: HttpRequest, { timeoutMs }: { timeoutMs: Millis }): Promise<HttpReply> {
    const fault = this.fault(request) ?? {};
    this.requests.push(request.path);
    if (fault.refused === true) return Promise.reject(new TransportError('notSent', 'connection refused'));
    if (fault.reset === true) return Promise.reject(new TransportError('noReply', 'connection reset'));
    const counts = request.method === 'POST' ? 1 : 0;
    this.actionsInFlight += counts;
    this.mostActionsInFlight = Math.max(this.mostActionsInFlight, this.actionsInFlight);
    return new Promise<HttpReply>((resolve, reject) => {
      const sent = this.#clock.now();
      const giveUp = this.#clock.at(sent + timeoutMs, () => reject(new TransportError('noReply', 'no reply')));
      if (fault.lost === 'request') return;
      this.#clock.at(sent + ONE_WAY, () => {
        const reply = this.#handle(request);
        if (fault.lost === 'reply') return;
        this.#clock.at(sent + 2 * ONE_WAY + (fault.lateMs ?? 0), () => {
          giveUp();
          resolve(fault.reply === undefined ? reply : replyOf(fault.reply));
        });
      });
    }).finally(() => {
      this.actionsInFlight -= counts;
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #handle({ method, path, body }: HttpRequest): HttpReply {
    if (method === 'POST') return replyOf({ body: this.codec.encodeReceipt(this.#act(body ?? new Uint8Array())) });
    const [bare = ''] = path.split('?');
    const user = /^\/user\/(.*)$/.exec(bare)?.[1];
    const page = user === undefined ? this.pages.get(bare)?.() : this.#user(user);
    return page === undefined ? replyOf({ status: 404, body: 'null' }) : replyOf({ body: JSON.stringify(page) });
  }

  #user(publicKey: string): unknown {
    const accountIds = this.users.get(publicKey);
    if (accountIds === undefined) return undefined;
    const mine = [...this.sessions, ...this.listed].filter(
      ([, { user, expires }]) => user === publicKey && (this.listsEnded || expires > this.now()),
    );
    const shown = mine.map(([id, session]) => [
      id,
      { pubkey: toBase58(session.publicKey), expiry: new Date(session.expires * 1_000).toISOString() },
    ]);
    return { accountIds, sessions: Object.fromEntries(shown) };
  }

  #act(body: Uint8Array): Receipt {
    const { framed, signature } = splitSigned(body);
    const action = this.codec.decode(framed);
    this.actions.push(action);
    if (action.kind === 'other') return this.error('NOT_IMPLEMENTED');
    if (Math.abs(action.timestamp - this.now()) > this.windowSeconds) return this.error('TIMESTAMP_OUT_OF_THRESHOLD');
    if (action.kind === 'createSession') {
      if (!verify({ publicKey: action.userPubkey, message: sessionMessage(framed), signature })) return this.error('INVALID_SIGNATURE');
      return this.#open(action);
    }
    const session = this.sessions.get(action.sessionId);
    if (session === undefined || session.expires <= this.now()) return this.error('SESSION_NOT_FOUND');
    return verify({ publicKey: session.publicKey, message: framed, signature }) ? this.answer(action) : this.error('INVALID_SIGNATURE');
  }

  #open({ userPubkey, sessionPubkey, expiry }: Extract<WireAction, { kind: 'createSession' }>): Receipt {
    const user = toBase58(userPubkey);
    if (!this.users.has(user)) {
      if (!this.createsUsers) return this.error('USER_NOT_FOUND');
      this.users.set(user, [7]);
    }
    const sessionId = String(this.nextSessionId++);
    this.sessions.set(sessionId, { user, publicKey: sessionPubkey, expires: Math.min(expiry, this.now() + this.longestSession) });
    return { kind: 'createSession', actionId: '1', sessionId };
  }

  error(error: string): Receipt {
    return { kind: 'err', actionId: '1', error, code: this.codec.errorCode(error) ?? 0 };
  }
}

/** The receipt of an order that rests whole, or of a cancel that succeeded. */
export function accepted(action: WireAction): Receipt {
  if (action.kind === 'placeOrder') {
    const { marketId, side, price, size } = action;
    return {
      kind: 'placeOrder',
      actionId: '9',
      posted: { orderId: '9007199254740993', marketId, side, price, size, accountId: 7 },
      fills: [],
      clientOrderId: action.clientOrderId,
    };
  }
  if (action.kind === 'cancelOrder') return { kind: 'cancelOrder', actionId: '9', orderId: action.orderId, accountId: 7 };
  throw new Error(`no answer for ${action.kind}`);
}

const replyOf = ({ status = 200, body, retryAfter }: NonNullable<NetworkFault['reply']>): HttpReply => ({
  status,
  ...(retryAfter !== undefined && { retryAfter }),
  contentType: 'application/json',
  body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
});
