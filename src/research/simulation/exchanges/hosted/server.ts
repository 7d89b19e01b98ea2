// The hosted API of a simulated run: its duplicates, sessions and receipts follow the rules that the seed has chosen.
import type { Millis } from '../../../../base/clock.ts';
import type { HttpReply, HttpRequest } from '../../../../base/transport/transport.ts';
import type { Signatures } from '../../../../base/wire/ed25519.ts';
import { splitSigned } from '../../../../base/wire/framing.ts';
import type { Book } from '../../../../bot/domain/book.ts';
import { numberIn } from '../../../../bot/domain/ids.ts';
import type { Exchange } from '../../../../embedded/exchange/exchange.ts';
import { DEFAULT_FUNDS } from '../../../../embedded/exchange/state/listing.ts';
import { hostedApi } from '../../../../embedded/server/hosted/api.ts';
import { Sessions } from '../../../../embedded/server/hosted/sessions.ts';
import { type StreamHub, streamHub } from '../../../../embedded/server/hosted/streams/hub.ts';
import { wholeSeconds } from '../../../../embedded/server/hosted/window.ts';
import type { ActionCodec, Receipt, WireAction } from '../../../../venues/wire/codec.ts';
import { ShiftedCodec } from '../../environment/exchange/live-terms.ts';
import { Duplicates } from '../../environment/network/duplicates.ts';
import { shownReceipt } from '../../environment/network/replies.ts';
import type { ApiServer, PlayedAction, ServerParts } from '../../exchange-api.ts';
import type { InjectedFault } from '../../plan/faults.ts';

interface HostedParts extends ServerParts {
  readonly codec: ActionCodec;
  readonly signing: Signatures;
}

/**
 * Returns the request for a list of trades that begins at `trade`. The list is newest first, so it has none after it. A request for a later page already
 * has its own start, and stays as it is.
 */
export const startingAtTrade = (request: HttpRequest, trade: string): HttpRequest =>
  request.path.includes('startInclusive=') ? request : { ...request, path: `${request.path}&startInclusive=${trade}` };

/** The code of an error that the schema does not have. */
const UNKNOWN_ERROR = 998;

export class HostedServer implements ApiServer {
  readonly #parts: HostedParts;
  readonly #sessions: Sessions;
  readonly #duplicates: Duplicates;
  readonly accountRequests: readonly HttpRequest[];
  readonly listingRequest: HttpRequest = { method: 'GET', path: '/info' };
  #exchange: Exchange;
  #streams: StreamHub;
  #api: (request: HttpRequest) => HttpReply;

  constructor(parts: HostedParts) {
    const { options, exchange, account } = parts;
    this.#parts = parts;
    this.#exchange = exchange;
    this.#streams = streamHub(exchange);
    this.#sessions = new Sessions({ perUser: 16, longestLife: options.rules.sessionSeconds });
    this.#duplicates = new Duplicates(options.rules);
    this.accountRequests = [{ method: 'GET', path: `/account/${account}` }];
    this.#api = this.#makeApi();
  }

  answer(request: HttpRequest): HttpReply {
    const reply = this.#api(request);
    if (request.path !== '/timestamp' || this.#parts.options.rules.timestampUnit === 's') return reply;
    return { ...reply, body: new TextEncoder().encode(String(this.#parts.engineTime())) };
  }

  act(request: HttpRequest, refused: (action: WireAction) => string | undefined): PlayedAction {
    const { codec, options } = this.#parts;
    const { framed } = splitSigned(request.body ?? new Uint8Array());
    const action = codec.decode(framed);
    this.#duplicates.begin();
    const error = this.#isDuplicateFirst(action, framed) ? 'DUPLICATE' : refused(action);
    if (error !== undefined) {
      const receipt = this.#errorReceipt(error);
      return { action, receipt, reply: this.#receiptReply(receipt) };
    }
    const reply = this.#api(request);
    const receipt = codec.decodeReceipt(reply.body);
    if (receipt.kind === 'err' && receipt.error !== 'DUPLICATE' && options.rules.forgetsFailed) this.#duplicates.forgetLast();
    return { action, receipt, reply: this.#receiptReply(shownReceipt(receipt, this.#parts)) };
  }

  get streams(): StreamHub {
    return this.#streams;
  }

  books(): readonly Book[] {
    return this.#exchange.markets.flatMap(({ id }) => this.#exchange.book(id) ?? []);
  }

  tradesUpTo(request: HttpRequest, trade: string): HttpReply {
    return this.answer(startingAtTrade(request, trade));
  }

  actionOf(updateId: string): number {
    return Number(numberIn(updateId));
  }

  lastActionOf(updateId: string): number {
    return this.actionOf(updateId);
  }

  restarted(exchange: Exchange, { detail }: InjectedFault): { readonly hasForgotten: boolean } {
    const { rules } = this.#parts.options;
    this.#streams = streamHub(exchange);
    if (exchange !== this.#exchange) {
      this.#exchange = exchange;
      this.#api = this.#makeApi();
    }
    const hasForgotten = detail === 'forgets' || (detail === undefined && rules.restartForgets);
    if (hasForgotten) this.#duplicates.forgetAll();
    if (rules.sessionsEndAtRestart) this.#sessions.endBy(0);
    return { hasForgotten };
  }

  /** Ends all sessions in `when` seconds or now, or gives them to another user. */
  endSessions(when: number | 'now' | 'taken'): void {
    if (when === 'taken') this.#sessions.giveAway();
    else this.#sessions.endBy(when === 'now' ? 0 : wholeSeconds(this.#parts.engineTime()) + when);
  }

  /**
   * True for an action that is known already, if the rules refuse it before anything else is checked (`duplicateFirst`). Otherwise `hostedApi` checks it in
   * `window`.
   */
  #isDuplicateFirst({ timestamp, nonce }: WireAction, signed: Uint8Array): boolean {
    if (!this.#parts.options.rules.duplicateFirst) return false;
    return this.#duplicates.has({ signed, timestamp, nonce, now: wholeSeconds(this.#checkedAt()) });
  }

  /** Returns the engine time by which an action is checked: that of its arrival if the rules say so (`timeCheckedAt`), otherwise that of its execution. */
  #checkedAt(): Millis {
    const { arrivedAt, engineTime } = this.#parts;
    return arrivedAt() ?? engineTime();
  }

  #errorReceipt(error: string): Receipt {
    const actionId = String(BigInt(this.#exchange.lastActionId()) + 1n);
    return { kind: 'err', actionId, error, code: this.#parts.codec.errorCode(error) ?? UNKNOWN_ERROR };
  }

  #receiptReply(receipt: Receipt): HttpReply {
    return { status: 200, contentType: 'application/octet-stream', body: this.#parts.codec.encodeReceipt(receipt) };
  }

  #makeApi(): (request: HttpRequest) => HttpReply {
    const { codec, shift, signing } = this.#parts;
    return hostedApi({
      exchange: this.#exchange,
      codec: new ShiftedCodec(codec.schema, shift),
      faucet: DEFAULT_FUNDS,
      catchUp: () => undefined,
      engineTime: () => this.#checkedAt(),
      sessions: this.#sessions,
      window: this.#duplicates,
      signatures: signing,
    });
  }
}
