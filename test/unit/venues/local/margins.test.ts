import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { lots, micros, ticks, toDecimal } from '../../../../src/bot/domain/numbers.ts';
import { Exchange } from '../../../../src/embedded/exchange/exchange.ts';
import { QUOTE } from '../../../../src/embedded/exchange/state/listing.ts';
import { localApi } from '../../../../src/embedded/server/local/api.ts';
import { localClient } from '../../../../src/venues/client/local/client.ts';
import { readAccountSnapshot } from '../../../../src/venues/local/account-snapshot.ts';
import { marginsOf } from '../../../../src/venues/local/margins.ts';
import { localAccount, localPositions } from '../../../../src/venues/wire/json/local.ts';
import { inProcessTransport } from '../../../in-process.ts';
import { ACCOUNT, positionPage } from './bench.ts';

const margins = (account: object, positions: object[] = []) => {
  const { bankruptcy, ...numerators } = marginsOf(localAccount.parse({ ...ACCOUNT, ...account }), localPositions.parse(positions));
  return { ...Object.fromEntries(Object.entries(numerators).map(([name, value]) => [name, toDecimal(value)])), bankruptcy };
};

describe('numerators', () => {
  test('follow from the fractions and the free collateral', () => {
    expect(margins({})).toEqual({ omf: 1_000.5, mf: 1_000.5, imf: 10, cmf: 7.5, mmf: 2.5, pon: 200, pn: 100, bankruptcy: false });
  });

  test('of an account without positions and orders are its value', () => {
    const nothing = { freeCollateral: 1_000.5, initialMarginRequirement: 0, maintenanceMarginRequirement: 0, totalPositionSize: 0 };
    for (const openMarginFraction of [1, 1_000.5, null])
      expect(margins({ ...nothing, openMarginFraction })).toMatchObject({ omf: 1_000.5, imf: 0, cmf: 0, mmf: 0, pon: 0, pn: 0 });
  });

  test('of an account without free collateral are at least what the positions and their orders use', () => {
    const used = positionPage({ collateralUsed: 15, initialMarginRequirement: 0.05 });
    const exhausted = { freeCollateral: 0, openMarginFraction: 0.04 };
    expect(margins(exhausted, [used])).toMatchObject({ pon: 400, imf: 20, omf: 16 });
    expect(margins(exhausted)).toMatchObject({ pon: 100, imf: 5, omf: 4 });
  });

  test('without an open margin fraction are the required plus the free collateral', () => {
    expect(margins({ openMarginFraction: null })).toMatchObject({ pon: 100, imf: 5, omf: 995.5 });
  });

  test('use a conservative value for a missing requirement', () => {
    expect(margins({ maintenanceMarginRequirement: null })).toMatchObject({ mmf: 2.5, cmf: 7.5 });
    expect(margins({ initialMarginRequirement: null, openMarginFraction: null })).toMatchObject({ imf: 10, mmf: 2.5 });
  });

  test('of an account that owes more than it has show bankruptcy', () => {
    expect(margins({ totalAccountValue: -1 })).toMatchObject({ mf: -1, bankruptcy: true });
  });
});

describe('both APIs of the embedded exchange', () => {
  const clock = new VirtualClock(Date.parse('2026-01-05T12:00:00Z'));

  /** An account with money, in a market whose index and mark do not move. */
  async function compared(act: (exchange: Exchange, account: number) => void) {
    const exchange = new Exchange({ seed: 'margins', start: clock.now(), flow: false });
    const [account, other] = [exchange.openAccount('us'), exchange.openAccount('them')];
    for (const owner of [account, other]) {
      exchange.wallets.endow({ account: owner, token: QUOTE, amount: micros(1_000e6) });
      exchange.wallets.deposit({ account: owner, token: QUOTE, amount: micros(1_000e6) });
    }
    exchange.setIndex(0, ticks(600_000));
    exchange.place({ account: other, market: 0, side: 'ask', fillMode: 'LIMIT', price: ticks(600_000), size: lots(200) });
    act(exchange, account);
    exchange.advanceTo(exchange.now() + 60_000);
    const handler = localApi({ exchange, account, catchUp: () => undefined });
    const client = localClient({ transport: inProcessTransport({ handler, clock, latencyMs: () => 0 }) });
    const reading = readAccountSnapshot(client);
    await clock.drive(clock.now() + 100);
    const snapshot = await reading;
    const hosted = exchange.account(account)?.margins;
    const live = exchange.live(0);
    return { local: marginsOf(snapshot.account, snapshot.positions), hosted, apart: (live?.mark ?? 0) / (live?.index ?? 1) };
  }

  test.each<[string, (exchange: Exchange, account: number) => void]>([
    ['nothing', () => undefined],
    [
      'orders on both sides',
      (exchange, account) => {
        exchange.place({ account, market: 0, side: 'bid', fillMode: 'LIMIT', price: ticks(599_000), size: lots(100) });
        exchange.place({ account, market: 0, side: 'ask', fillMode: 'LIMIT', price: ticks(601_000), size: lots(30) });
        exchange.place({ account, market: 0, side: 'bid', fillMode: 'LIMIT', price: ticks(598_000), size: lots(7) });
      },
    ],
    [
      'a position and an order',
      (exchange, account) => {
        exchange.place({ account, market: 0, side: 'bid', fillMode: 'IMMEDIATE_OR_CANCEL', price: ticks(600_000), size: lots(123) });
        exchange.place({ account, market: 0, side: 'bid', fillMode: 'LIMIT', price: ticks(599_000), size: lots(45) });
      },
    ],
  ])('give the same margins for an account with %s', async (_, act) => {
    const { local, hosted, apart } = await compared(act);
    if (hosted === undefined) throw new Error('no such account');
    expect(apart).toBeCloseTo(1, 2);
    for (const name of ['omf', 'imf', 'pon'] as const) expect([name, local[name] - hosted[name]]).toEqual([name, expect.closeTo(0, -1)]);
    // Worth and requirement of positions are at the mark there, at the index here.
    expect(local.pn).toBeCloseTo(hosted.pn * apart, -1);
    expect(local.mmf).toBeCloseTo(hosted.mmf * apart, -1);
    expect(local.mf - hosted.mf).toBeCloseTo(hosted.pn * (apart - 1), -1);
    expect(local.cmf).toBeCloseTo(hosted.cmf, -1);
  });
});
