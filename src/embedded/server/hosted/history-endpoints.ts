// The endpoints of the hosted API that list an account's history: realised profit, funding, deposits, withdrawals and traded volume.
import type { Millis } from '../../../base/clock.ts';
import { type Json, jsonReply } from '../../../base/server/reply.ts';
import { type Route, route } from '../../../base/server/routing.ts';
import type { AccountId } from '../../../bot/domain/ids.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { FundingPayment, FundsMove } from '../../exchange/history/statement.ts';
import { requireKnown } from '../reply-values.ts';
import { accountIn } from './account-endpoints.ts';
import { depositReply, fundingReply, historyPage, idOfPayment, pnlReply, volumeReply, withdrawalReply } from './history-replies.ts';
import { cursorOf, idOf, pageSizeOf, required, timeOf } from './parameters.ts';

const PAGED = { since: timeOf, until: timeOf, startInclusive: cursorOf, pageSize: pageSizeOf };

/** Number of payments of each market without `count`. */
const DEFAULT_COUNT = 24;

export const historyEndpoints = (exchange: Exchange): readonly Route[] => [
  ...statementEndpoints(exchange),
  ...fundingEndpoints(exchange),
  volumeEndpoint(exchange),
];

const moveId = ({ actionId }: FundsMove): number => Number(actionId);

/** Realised profit, deposits and withdrawals. */
function statementEndpoints(exchange: Exchange): readonly Route[] {
  const paged = <Row extends { readonly time: Millis }>(
    kind: 'pnl' | 'history/deposit' | 'history/withdrawal',
    rowsOf: (account: AccountId) => readonly Row[],
    { idOf: rowId, reply }: { idOf: (row: Row) => number; reply: (account: AccountId, row: Row) => Json },
  ): Route =>
    route({
      path: `/account/{account}/${kind}`,
      query: PAGED,
      answer: ({ path, query }) => {
        const account = accountIn(exchange, path.account);
        return jsonReply(historyPage(rowsOf(account), query, { idOf: rowId, reply: (row) => reply(account, row) }));
      },
    });
  const movesOf = (kind: FundsMove['kind']) => (account: AccountId) => exchange.wallets.moves(account).filter((move) => move.kind === kind);

  return [
    paged('pnl', (account) => exchange.records.pnl(account), { idOf: ({ action }) => action, reply: pnlReply }),
    paged('history/deposit', movesOf('deposit'), {
      idOf: moveId,
      reply: (account, move) => depositReply(exchange, account, move),
    }),
    paged('history/withdrawal', movesOf('withdrawal'), {
      idOf: moveId,
      reply: (account, move) => withdrawalReply(exchange, account, move),
    }),
  ];
}

function fundingEndpoints(exchange: Exchange): readonly Route[] {
  const reply = (row: FundingPayment): Json => fundingReply(requireKnown(exchange.markets[row.market]), row);
  const paymentsOf = (account: AccountId, marketId: number | undefined) =>
    exchange.records.fundingPayments(account).filter(({ market }) => market === (marketId ?? market));

  return [
    route({
      path: '/account/{account}/history/funding',
      query: { marketId: idOf, ...PAGED },
      answer: ({ path, query }) => {
        const rows = paymentsOf(accountIn(exchange, path.account), query.marketId);
        return jsonReply(historyPage(rows, query, { idOf: idOfPayment, reply }));
      },
    }),
    route({
      path: '/account/{account}/pnl/funding/history/PT1H',
      query: { marketId: idOf, count: pageSizeOf, since: timeOf },
      answer: ({ path, query: { marketId, count = DEFAULT_COUNT, since = 0 } }) => {
        const payments = paymentsOf(accountIn(exchange, path.account), marketId).filter(({ time }) => time >= since);
        const newest = exchange.markets.flatMap(({ id }) => payments.filter(({ market }) => market === id).slice(0, count));
        return jsonReply(newest.toSorted((a, b) => idOfPayment(b) - idOfPayment(a)).map(reply));
      },
    }),
  ];
}

const volumeEndpoint = (exchange: Exchange): Route =>
  route({
    path: '/account/volume',
    query: { accountId: idOf, marketId: idOf, since: timeOf, until: timeOf },
    answer: ({ query: { accountId, ...range } }) => {
      const account = accountIn(exchange, String(required(accountId, 'accountId')));
      const trades = exchange.records.tradesSince({ account, ...range }, { after: 0, most: Number.POSITIVE_INFINITY });
      return jsonReply(exchange.markets.flatMap((market) => volumeReply(market, trades, account)));
    },
  });
