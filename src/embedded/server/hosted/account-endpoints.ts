// The endpoints of the hosted API that show users and accounts.

import { badRequest, jsonReply, RefusedRequest, WrittenJson } from '../../../base/server/reply.ts';
import { type Route, route } from '../../../base/server/routing.ts';
import { fromBase58, KEY_BYTES } from '../../../base/wire/ed25519.ts';
import type { AccountId } from '../../../bot/domain/ids.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { pageOf } from '../../exchange/history/paging.ts';
import type { Role } from '../../exchange/state/fees.ts';
import { pageReply, requireKnown, WrittenAnswers } from '../reply-values.ts';
import { accountReply, openOrdersReply, orderRecordReply, userReply } from './account-replies.ts';
import { WITHDRAWAL_FEE } from './history-replies.ts';
import { marketNamed } from './market-endpoints.ts';
import { cursorOf, idOf, pageSizeOf, timeOf } from './parameters.ts';
import type { Sessions } from './sessions.ts';

export function accountEndpoints(
  exchange: Exchange,
  { sessions, seconds }: { sessions: Sessions; seconds: () => number },
): readonly Route[] {
  const marketOf = (id: number) => requireKnown(exchange.markets[id]);
  const writtenOrders = new WrittenAnswers<WrittenJson>();

  const feeRate = (role: Role, path: { market: string; account: string }) => {
    marketNamed(exchange, path.market);
    return jsonReply(orNotFound(exchange.feeRatePpm({ account: accountId(path.account), role })) / 1e6);
  };

  return [
    route({
      path: '/user/{pubkey}',
      answer: ({ path }) => {
        const user = userKey(path.pubkey);
        const accounts = exchange.accountsOf(user);
        if (accounts.length === 0) throw new RefusedRequest(404, null);
        return jsonReply(userReply(accounts, sessions.of(user, seconds())));
      },
    }),
    route({
      path: '/account/{account}',
      answer: ({ path, request }) => {
        const account = orNotFound(exchange.account(accountId(path.account)));
        const orders = writtenOrders.answer(request, account.orders, () => new WrittenJson(openOrdersReply(account.orders, marketOf)));
        return jsonReply(accountReply(account, { orders, marketOf }));
      },
    }),
    route({
      path: '/account/{account}/orders',
      query: { startInclusive: cursorOf, pageSize: pageSizeOf },
      answer: ({ path, query }) => {
        const account = accountIn(exchange, path.account);
        return jsonReply(
          pageReply(exchange.orderHistory(account, query), (order) => orderRecordReply(marketOf(order.market), order, exchange)),
        );
      },
    }),
    route({
      path: '/account/{account}/fee/tier',
      answer: ({ path }) => jsonReply(orNotFound(exchange.feeTier(accountId(path.account)))),
    }),
    route({ path: '/accounts/count', answer: () => jsonReply(exchange.records.accountCount()) }),
    route({
      path: '/account/{account}/pubkey',
      answer: ({ path }) => jsonReply(orNotFound(exchange.records.userOf(accountId(path.account)))),
    }),
    route({
      path: '/account/{account}/fees/withdrawal',
      answer: ({ path }) => {
        accountIn(exchange, path.account);
        return jsonReply(WITHDRAWAL_FEE);
      },
    }),
    route({
      path: '/accounts/fee-tiers',
      query: { startInclusive: idOf, pageSize: pageSizeOf },
      answer: ({ query: { startInclusive = 0, pageSize } }) => {
        const ids = Array.from(
          { length: Math.max(0, exchange.records.accountCount() - startInclusive) },
          (_, index) => startInclusive + index,
        );
        const page = pageOf(ids, { size: pageSize, idOf: String });
        return jsonReply(pageReply(page, (id) => ({ accountId: id, feeTier: requireKnown(exchange.feeTier(id)) })));
      },
    }),
    // Trigger orders are not served, so all their lists are empty.
    route({
      path: '/account/{account}/triggers',
      answer: ({ path }) => {
        accountIn(exchange, path.account);
        return jsonReply([]);
      },
    }),
    route({
      path: '/account/{account}/triggers/history',
      query: { since: timeOf, until: timeOf, startInclusive: cursorOf, pageSize: pageSizeOf },
      answer: ({ path }) => {
        accountIn(exchange, path.account);
        return jsonReply(NO_ROWS);
      },
    }),
    route({ path: '/triggers/active', query: { startInclusive: cursorOf, pageSize: pageSizeOf }, answer: () => jsonReply(NO_ROWS) }),
    route({ path: '/market/{market}/fees/maker/{account}', answer: ({ path }) => feeRate('maker', path) }),
    route({ path: '/market/{market}/fees/taker/{account}', answer: ({ path }) => feeRate('taker', path) }),
  ];
}

const NO_ROWS = { items: [], nextStartInclusive: null };

/** Returns the id of an account that exists. Throws 404 for any other. */
export function accountIn(exchange: Exchange, text: string): AccountId {
  const account = accountId(text);
  orNotFound(exchange.feeTier(account));
  return account;
}

const accountId = (text: string): AccountId => idOf(text, 'the account id');

function userKey(text: string): string {
  if (fromBase58(text)?.length !== KEY_BYTES) throw badRequest(`a user's public key is ${KEY_BYTES} bytes in base58`);
  return text;
}

function orNotFound<T>(value: T | undefined): T {
  if (value === undefined) throw new RefusedRequest(404, null);
  return value;
}
