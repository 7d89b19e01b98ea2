// The client of the hosted exchange accepts the answers of the embedded one.
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../../../src/base/wire/json.ts';
import * as shapes from '../../../../src/venues/wire/json/hosted.ts';
import { openActiveApi, userOf } from './open-api.ts';

const lively = openActiveApi();

describe('our own client accepts it', () => {
  test.each([
    ['/info', shapes.info],
    ['/markets/live', shapes.marketsLive],
    ['/market/0/stats', shapes.marketStats],
    ['/market/3/stats', shapes.marketStats],
    ['/market/0/orderbook', shapes.orderbook],
    ['/trades', shapes.tradesPage],
    ['/fee/brackets/info', shapes.feeBrackets],
    ['/accounts/liquidations/takes', shapes.takeAllInfos],
    [`/account/${lively.account}`, shapes.account],
    [`/account/${lively.account}/orders`, shapes.ordersPage],
    [`/account/${lively.account}/fee/tier`, shapes.feeTier],
    [`/market/0/fees/taker/${lively.account}`, shapes.feeRate],
    [`/user/${userOf(lively.user)}`, shapes.user],
    ['/timestamp', shapes.timestamp],
  ])('%s', (path, shape) => {
    expect(shape.safeParse(parsed(path)).error).toBeUndefined();
  });
});

/** As the client parses it: exact where JSON.parse would round. */
const parsed = (path: string): unknown => parseJson(lively.send({ method: 'GET', path }).body, { maxBytes: 1e6, maxDepth: 8 });
