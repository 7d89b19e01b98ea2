// Replies that are wrong in one field for a while: the same in every request and on every connection.
import { parse, stringify } from 'lossless-json';
import type { HttpReply, HttpRequest } from '../../../../base/transport/transport.ts';
import type { AccountId, UpdateId } from '../../../../bot/domain/ids.ts';
import type { Exchange } from '../../../../embedded/exchange/exchange.ts';
import type { FaultBox } from '../../plan/fault-box.ts';
import type { InjectedFault } from '../../plan/faults.ts';
import { type JsonReply, lieNamed } from '../../plan/lie-table.ts';

export interface LiesOptions {
  readonly faults: FaultBox;
  /** The account of somebody else, and the reply that shows it. */
  readonly stranger: () => { readonly id: number; readonly reply: HttpReply };
}

export class Lies {
  readonly #options: LiesOptions;
  /** By fault and address: the true reply when the lie began. */
  readonly #first = new Map<string, JsonReply>();
  readonly #lies = new WeakSet<Uint8Array>();
  readonly #struck = new Set<string>();
  readonly #numbers = new Map<UpdateId, number>();

  constructor(options: LiesOptions) {
    this.#options = options;
  }

  /** What is shown instead of this reply. */
  shown(request: HttpRequest, reply: HttpReply): HttpReply {
    if (reply.status !== 200 || request.method !== 'GET') return reply;
    const active = this.#options.faults.allOn('lie').filter(({ detail }) => lieNamed(detail)?.at.test(request.path) === true);
    if (active.length === 0) return reply;
    const text = new TextDecoder().decode(reply.body);
    const body = new TextEncoder().encode(active.reduce((shown, fault) => this.#applied(fault, request, shown), text));
    this.#lies.add(body);
    return { ...reply, body };
  }

  /** The true number of an account that shows this one. */
  numberOf(shown: UpdateId): number {
    return this.#numbers.get(shown) ?? Number(shown);
  }

  /** True for a reply that a lie has changed. */
  isLie({ body }: Pick<HttpReply, 'body'>): boolean {
    return this.#lies.has(body);
  }

  #applied(fault: InjectedFault, { path }: HttpRequest, text: string): string {
    const terms = lieNamed(fault.detail);
    if (terms === undefined) return text;
    this.#strike(fault);
    const truth = terms.about === 'schema' ? { value: text } : jsonOf(text);
    const key = `${fault.id} ${path}`;
    const first = this.#first.get(key) ?? truth;
    this.#first.set(key, first);
    const stranger = () => {
      const { id, reply } = this.#options.stranger();
      return { id, account: jsonOf(new TextDecoder().decode(reply.body)) };
    };
    const shown = terms.apply(truth, { first, stranger, amount: fault.amount ?? 0 });
    if (terms.about === 'numbers') this.#numbers.set(String(shown['updateId']), this.numberOf(String(truth['updateId'])));
    return terms.about === 'schema' ? String(shown['value']) : textOf(shown);
  }

  /** A lie is counted once, when it first changes a reply. */
  #strike(fault: InjectedFault): void {
    if (this.#struck.has(fault.id)) return;
    this.#struck.add(fault.id);
    this.#options.faults.strike(fault);
  }
}

/** A bare value, as `/timestamp` returns it, is the field `value`. */
function jsonOf(text: string): JsonReply {
  const parsed: unknown = parse(text);
  return isRecord(parsed) ? parsed : { value: parsed };
}

const textOf = (reply: JsonReply): string => stringify('value' in reply ? reply['value'] : reply) ?? '';

const isRecord = (value: unknown): value is JsonReply => typeof value === 'object' && value !== null && !('isLosslessNumber' in value);

/** The first other account with orders, and the reply that shows it. */
export function strangerAt(
  exchange: Exchange,
  { own, api }: { readonly own: AccountId; readonly api: (request: HttpRequest) => HttpReply },
): ReturnType<LiesOptions['stranger']> {
  let id = 0;
  for (let other = 1, shown = exchange.account(other); shown !== undefined; shown = exchange.account(++other))
    if (id === 0 && other !== own && shown.orders.length > 0) id = other;
  return { id, reply: api({ method: 'GET', path: `/account/${id}` }) };
}
