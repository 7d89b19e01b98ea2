// Polls the account: balances, positions and orders, and our own trades.

import type { Cancel } from '../../base/clock.ts';
import { AssertionError } from '../../base/errors.ts';
import type { Account } from '../../bot/domain/account.ts';
import { withSpotPositions } from '../../bot/domain/accounting/spot.ts';
import type { AccountEvent, AccountSeen, FillsSeen } from '../../bot/domain/event.ts';
import { compareIds } from '../../bot/domain/ids.ts';
import type { FeeRates } from '../../bot/domain/market.ts';
import type { Fill } from '../../bot/domain/order.ts';
import { LISTING_LAG, type ReportedTrade } from '../../bot/exchange/kit/streams/trade-tail.ts';
import { nameIn } from '../../bot/exchange/port.ts';
import type { SimTrade } from '../exchange/history/trades.ts';
import { accountOf, fillOf } from './snapshots.ts';
import { stream } from './stream.ts';
import { type EmbeddedTailOptions, EmbeddedTradeTail } from './trade-tail.ts';
import type { VenueContext } from './venue-context.ts';

type Emit = (event: AccountEvent) => void;

/** Returns a function that reads the current account. */
export function accountLook({ exchange, account, markets }: Pick<VenueContext, 'exchange' | 'account' | 'markets'>): () => Account {
  const nameOf = nameIn(exchange.tokens);
  const hasSpot = markets.some(({ spec }) => spec.kind === 'spot');
  let rates: FeeRates | undefined;
  let fees = { maker: 0, taker: 0 };
  return () => {
    const shown = exchange.account(account);
    if (shown === undefined) throw new AssertionError(`the exchange has no account ${account}`);
    const ratesNow = exchange.feeRates(account);
    if (ratesNow !== rates && ratesNow !== undefined) fees = { maker: ratesNow.makerPpm / 1e6, taker: ratesNow.takerPpm / 1e6 };
    rates = ratesNow;
    const seen = accountOf(shown, fees);
    return hasSpot ? withSpotPositions(seen, markets, nameOf) : seen;
  };
}

export function accountStream(context: VenueContext, emit: Emit): Cancel {
  const { polling } = context;
  const look = accountLook(context);
  return stream<Account, AccountSeen>(
    context,
    {
      stream: 'account',
      what: 'account',
      everyMs: polling.accountMs,
      look,
      own: true,
      eventOf: (account, asked, at) => ({ kind: 'accountSeen', at, asked, account }),
    },
    emit,
  );
}

/** Emits each round of fills with `asked` moved back by the listing lag, as the hosted adapter does. */
export function fillStream(context: VenueContext, emit: Emit): Cancel {
  const trades = new OwnTrades(context);
  return stream<readonly Fill[], FillsSeen>(
    context,
    {
      stream: 'fills',
      what: 'round of own trades',
      everyMs: context.polling.fillsMs,
      look: () => trades.look(),
      ask: (onReply) => trades.read(onReply),
      own: true,
      eventOf: (fills, asked, at) => {
        if (fills.length > 0) context.looks?.followUp();
        const lag = context.looks?.isInstant === true ? 0 : LISTING_LAG;
        return { kind: 'fillsSeen', at, asked: asked - lag, fills };
      },
    },
    emit,
  );
}

const NO_FILLS: readonly Fill[] = [];

/** Our trades as maker and as taker. A round needs both lists. A trade with ourselves is a fill of two orders. */
export class OwnTrades {
  readonly #made: EmbeddedTradeTail<SimTrade>;
  readonly #taken: EmbeddedTradeTail<SimTrade>;
  /** Fills that an earlier process has reported. */
  readonly #reported: ReadonlySet<string>;

  /** Starts now, or where an earlier process stopped: earlier trades do not belong to this run. */
  constructor(context: Pick<VenueContext, 'exchange' | 'clock' | 'network' | 'account'> & Partial<Pick<VenueContext, 'resume'>>) {
    const { exchange, clock, resume } = context;
    const list: EmbeddedTailOptions<SimTrade>['list'] = (query, newest) => exchange.records.tradesSince(query, newest);
    const tools = { ...context, since: resume?.since ?? clock.now(), list };
    this.#made = new EmbeddedTradeTail({ ...tools, query: { makerId: context.account } });
    this.#taken = new EmbeddedTradeTail({ ...tools, query: { takerId: context.account } });
    this.#reported = new Set(resume?.reported.map(keyOf));
  }

  /** Reads both lists in their current state. */
  look(): readonly Fill[] {
    const made = this.#made.look().fresh;
    const taken = this.#taken.look().fresh;
    if (made.length === 0 && taken.length === 0) return NO_FILLS;
    const round: Fill[] = [];
    this.#add(round, made, 'maker');
    this.#add(round, taken, 'taker');
    return round.sort((a, b) => compareIds(a.tradeId, b.tradeId));
  }

  read(onReply: (fills: readonly Fill[]) => void): void {
    const round: Fill[] = [];
    let awaited = 2;
    const arrived = (trades: readonly SimTrade[], role: Fill['role']): void => {
      this.#add(round, trades, role);
      awaited -= 1;
      if (awaited === 0) onReply(round.sort((a, b) => compareIds(a.tradeId, b.tradeId)));
    };
    this.#made.read(({ fresh }) => arrived(fresh, 'maker'));
    this.#taken.read(({ fresh }) => arrived(fresh, 'taker'));
  }

  #add(round: Fill[], trades: readonly SimTrade[], role: Fill['role']): void {
    for (const trade of trades) if (!this.#isReported(trade, role)) round.push(fillOf(trade, role));
  }

  #isReported({ tradeId }: SimTrade, role: Fill['role']): boolean {
    return this.#reported.size > 0 && this.#reported.has(keyOf({ tradeId, role }));
  }
}

const keyOf = ({ tradeId, role }: Pick<ReportedTrade, 'tradeId' | 'role'>): string => `${tradeId}/${role ?? ''}`;
