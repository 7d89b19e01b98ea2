// The status of a run, sent once a second: the fields of the status line of --json, plus mode, parts of the profit, and margin use.

import { moneyText } from '../../../bot/accounting/lines.ts';
import type { Account } from '../../../bot/domain/account.ts';
import type { MarketId } from '../../../bot/domain/ids.ts';
import { micros } from '../../../bot/domain/numbers.ts';
import { intentText } from '../../../bot/run/core/now.ts';
import { statusOf as commonStatusOf, type Status } from '../../../bot/run/core/run-now.ts';
import { streamWords } from '../../../bot/run/state/reasons.ts';
import { liquidationPrice, marginShares } from '../margins.ts';
import type { RunWatch, WatchedMarket } from '../watch.ts';
import type { PageStatus } from './contract.ts';

/** Facts about a run that are not in its turns. */
export interface StatusExtras {
  /** `none`: the run needs no watchdog, because the exchange is part of its process. */
  readonly watchdog?: PageStatus['watchdog'];
}

/** Returns the status of a run after the newest turn of its watch. */
export function statusOf(watch: RunWatch, { watchdog }: StatusExtras): PageStatus {
  const { at, account, session, engineSeconds, equity } = watch;
  const common = commonStatusOf(watch, at);
  const { equity: accountEquity, positions, margins, openOrders, dataAgeMs } = common;
  const watched = [...watch.markets.values()];
  return {
    at: common.at,
    turns: watch.turns,
    mode: watch.mode,
    modeReason: watch.modeReason,
    stopping: watch.stopping,
    equity: accountEquity,
    ...profitOf(watch, common),
    drawdown: moneyText(micros(equity.drawdown)),
    openOrders,
    unknown: watch.unknown.length,
    positions,
    holdings: account === undefined ? {} : holdingsOf(account.value, watch),
    markets: Object.fromEntries(watched.map((market) => [market.market.symbol, marketOf(market)])),
    margins,
    shares: account === undefined ? undefined : marginShares(account.value.margins),
    accountAsked: account?.asked,
    dataAgeMs,
    unhealthy: [...watch.unhealthy].map(({ reason, market }) => streamWords(reason, symbolOf(watch, market))),
    intents: watch.intents.flatMap((intent) => {
      const market = watch.markets.get(intent.market)?.market;
      return market === undefined ? [] : [intentText(intent, market)];
    }),
    session: session === undefined || engineSeconds === undefined ? undefined : { expires: session.expires, now: engineSeconds },
    watchdog,
  };
}

const symbolOf = ({ markets }: RunWatch, id: MarketId | undefined): string | undefined =>
  id === undefined ? undefined : markets.get(id)?.market.symbol;

/** The fields of the status that `profitOf` returns. */
type ProfitField = 'provisional' | 'pnl' | 'trading' | 'fees' | 'funding' | 'today' | 'volume' | 'fills' | 'placed' | 'rejected';

function profitOf(watch: RunWatch, { pnl, provisional }: Status): Pick<PageStatus, ProfitField> {
  const { profit, today, fees, funding, volume, fills } = watch.totals;
  const { placed, rejected } = watch.counts();
  return {
    pnl,
    trading: moneyText(micros(profit + fees - funding)),
    fees: moneyText(fees),
    funding: moneyText(funding),
    today: moneyText(today),
    volume: moneyText(volume),
    fills,
    ...(provisional !== undefined && { provisional }),
    placed,
    rejected,
  };
}

/** Returns entry, unrealised profit and price of liquidation of each position, by symbol. */
function holdingsOf(account: Account, watch: RunWatch): PageStatus['holdings'] {
  return Object.fromEntries(
    account.positions.flatMap(({ market: id, size, entry, tradingPnl, fundingPaymentPnl }) => {
      const watched = watch.markets.get(id);
      if (watched === undefined || size === 0) return [];
      const { market, info } = watched;
      const text = (price: number | undefined): string | undefined => price?.toFixed(market.spec.priceDecimals);
      const mark = info?.value.mark ?? info?.value.index;
      const liquidation = mark === undefined ? undefined : liquidationPrice(account, market, market.price(mark));
      const pnl = moneyText(micros(tradingPnl + fundingPaymentPnl));
      return [[market.symbol, { entry: text(entry), pnl, liquidation: text(liquidation) }]];
    }),
  );
}

function marketOf({ market, info }: WatchedMarket): PageStatus['markets'][string] {
  const { mark, index, fundingRate: funding, nextFunding, frozen = false } = info?.value ?? {};
  const price = (value: typeof mark): string | undefined => (value === undefined ? undefined : market.priceText(value));
  return { mark: price(mark), index: price(index), funding, nextFunding, frozen };
}
