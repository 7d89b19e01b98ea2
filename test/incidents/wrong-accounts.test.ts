// Answers about the account that are wrong for a while: another account's, without money, bankrupt, or with positions of the wrong sign. Nothing that only
// a person can undo follows from them, and trading resumes by itself. A loss and a liquidation that are real still stop the run.
import { expect, test } from 'vitest';
import { type AccountBody, alarmsIn, type Change, placedIn, stage, trading, until } from './account-lies.ts';

const scaled = ({ margins }: AccountBody, factor: number): AccountBody['margins'] =>
  Object.fromEntries(Object.entries(margins).map(([name, value]) => [name, typeof value === 'number' ? value * factor : value]));

/** The body of an account with other money, the opposite position in three times the size, and no orders. */
const somebodyElse: Change = (body) => ({
  ...body,
  balances: body.balances.map((balance) => ({ ...balance, amount: balance.amount / 40 })),
  positions: body.positions.map(({ perp, ...rest }) => ({
    ...rest,
    openOrders: 0,
    perp: perp === null ? null : { ...perp, baseSize: perp.baseSize * 3, isLong: !perp.isLong },
  })),
  orders: [],
  margins: scaled(body, 0.025),
});
const withoutMoney: Change = (body) => ({
  ...body,
  balances: body.balances.map((balance) => ({ ...balance, amount: 0 })),
  margins: scaled(body, 0),
});
const withoutMargins: Change = (body) => ({ ...body, margins: scaled(body, 0) });
const bankrupt: Change = (body) => ({ ...body, margins: { ...body.margins, bankruptcy: true } });
const wrongSign: Change = (body) => ({
  ...body,
  positions: body.positions.map(({ perp, ...rest }) => ({ ...rest, perp: perp === null ? null : { ...perp, isLong: !perp.isLong } })),
});

const LIES: readonly (readonly [string, Change, { readonly times?: number; readonly seconds: number }])[] = [
  ["another account's body for 5 s", somebodyElse, { seconds: 5 }],
  ["another account's body for 60 s", somebodyElse, { seconds: 60 }],
  ['no money once', withoutMoney, { times: 1, seconds: 2 }],
  ['no money for 20 s', withoutMoney, { seconds: 20 }],
  ['margins 0 once', withoutMargins, { times: 1, seconds: 2 }],
  ['margins 0 for 20 s', withoutMargins, { seconds: 20 }],
  ['bankrupt once', bankrupt, { times: 1, seconds: 2 }],
  ['bankrupt for 20 s', bankrupt, { seconds: 20 }],
];

test('while trading, each holds at once, changes no mode, and trading resumes', async () => {
  const scene = await trading('wrong accounts');
  const { lie, run, process } = scene;
  const { world, findings } = process;
  for (const [name, change, { times, seconds }] of LIES) {
    findings.clear();
    lie(change, times);
    await run(2);
    const before = placedIn(process);
    await run(seconds - 2);
    const during = placedIn(process) - before;
    lie(undefined);
    const held = [...findings].some((text) => text.startsWith('account: '));
    const now = placedIn(process);
    await until(scene, () => placedIn(process) > now, 200);
    const resumed = placedIn(process) > now;
    expect({ name, held, during, mode: world.mode, resumed }).toEqual({ name, held: true, during: 0, mode: 'active', resumed: true });
  }
  expect(alarmsIn(process)).toEqual(['account']);
  lie(somebodyElse);
  process.trading.run.stop('the test ends');
  await run(5);
  lie(undefined);
  await run(30);
  expect([await process.trading.run.done, world.mode]).toEqual([{ kind: 'settled' }, 'active']);
});

test('from the first answer of a run on, it is forgotten, and trading begins', async () => {
  const scene = await stage('wrong start');
  scene.lie(somebodyElse, 6);
  const process = await scene.bot();
  await until(scene, () => placedIn(process) > 0, 60);
  await scene.run(30);
  const now = placedIn(process);
  await until(scene, () => placedIn(process) > now, 200);
  expect([placedIn(process) > now, process.world.mode, process.world.binding.fault]).toEqual([true, 'active', undefined]);
});

test('positions of the wrong sign for 42 s: nothing is closed, with both figures in a finding, until both sources agree', async () => {
  const scene = await trading('wrong sign');
  const { lie, run, process, embedded } = scene;
  const { account } = process.venue.gateway;
  const { world, findings, state } = process;
  const { id } = world.perps[0]!;
  const truth = (): number => embedded.exchange.account(Number(account))?.positions.find(({ market }) => market === id)?.size ?? 0;
  lie(wrongSign);
  await run(3);
  state.killSwitch.raise('flatten', { reason: 'a person asked', at: new Date(0).toISOString(), by: 'flatten' });
  await until(scene, () => world.orders().length === 0, 10);
  const held = truth();
  await run(35);
  expect([truth(), held === 0]).toEqual([held, false]);
  expect([...findings].filter((text) => text.startsWith('account: nothing can be closed: the exchange shows a position of '))).not.toEqual(
    [],
  );
  lie(undefined);
  await until(scene, () => truth() === 0, 60);
  expect([truth(), world.mode]).toEqual([0, 'flatten']);
});
