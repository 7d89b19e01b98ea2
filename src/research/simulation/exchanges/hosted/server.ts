// The hosted API of a simulated run: its duplicates, sessions and receipts follow the rules that the seed has chosen.
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

/** The request for the list from this trade on; a later page of the list stays as it is. */
export const fromTrade = (request: HttpRequest, trade: string): HttpRequest =>
  request.path.includes('startInclusive=') ? request : { ...request, path: `${request.path}&startInclusive=${trade}` };

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
    const error = this.#isKnown(action, framed) ? 'DUPLICATE' : refused(action);
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
    return this.answer(fromTrade(request, trade));
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

  endSessions(when: number | 'now' | 'taken'): void {
    if (when === 'taken') this.#sessions.giveAway();
    else this.#sessions.endBy(when === 'now' ? 0 : wholeSeconds(this.#parts.engineTime()) + when);
  }

  #isKnown({ timestamp, nonce }: WireAction, signed: Uint8Array): boolean {
    const { options, arrivedAt, engineTime } = this.#parts;
    if (!options.rules.duplicateFirst) return false;
    return this.#duplicates.has({ signed, timestamp, nonce, now: wholeSeconds(arrivedAt() ?? engineTime()) });
  }

  #errorReceipt(error: string): Receipt {
    const actionId = String(BigInt(this.#exchange.lastActionId()) + 1n);
    return { kind: 'err', actionId, error, code: this.#parts.codec.errorCode(error) ?? 998 };
  }

  #receiptReply(receipt: Receipt): HttpReply {
    return { status: 200, contentType: 'application/octet-stream', body: this.#parts.codec.encodeReceipt(receipt) };
  }

  #makeApi(): (request: HttpRequest) => HttpReply {
    const { codec, shift, arrivedAt, engineTime, signing } = this.#parts;
    return hostedApi({
      exchange: this.#exchange,
      codec: new ShiftedCodec(codec.schema, shift),
      faucet: DEFAULT_FUNDS,
      catchUp: () => undefined,
      engineTime: () => arrivedAt() ?? engineTime(),
      sessions: this.#sessions,
      window: this.#duplicates,
      signatures: signing,
    });
  }
}
