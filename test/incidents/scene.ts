// A stage with a faulty network, a bot that trades there, and the checks at the end.
import { expect, onTestFinished } from 'vitest';
import { rngFrom } from '../../src/base/rng.ts';
import type { HttpRequest } from '../../src/base/transport/transport.ts';
import type { Line } from '../../src/bot/accounting/lines.ts';
import { expectAgreement } from '../story/foreign/expect-agreement.ts';
import { type BotProcess, ForeignStage, type Setting } from '../story/foreign/foreign-stage.ts';
import { FaultyTransport, type NetworkFaults, NO_FAULTS } from './faulty-transport.ts';

/** Most orders that a killed process may have decided on and not sent. */
export const MOST_UNSENT = 12;

export interface Scene {
  readonly stage: ForeignStage;
  readonly network: FaultyTransport;
}

export async function sceneOf(setting: Setting): Promise<Scene> {
  let faulty: FaultyTransport | undefined;
  const rng = rngFrom(setting.seed).fork('hostile line');
  const stage = await ForeignStage.open({
    ...setting,
    network: (inner, clock) => {
      faulty = new FaultyTransport(inner, { clock, rng, faults: NO_FAULTS });
      return faulty;
    },
  });
  onTestFinished(() => stage.close());
  if (faulty === undefined) throw new Error('the stage has no network');
  return { stage, network: faulty };
}

export async function playing(setting: Partial<Setting> = {}): Promise<Scene & { readonly bot: BotProcess }> {
  const scene = await sceneOf({ seed: 'told', ...setting });
  return { ...scene, bot: await scene.stage.bot() };
}

/** Returns faults of one kind on every request. */
export const always = (what: keyof NetworkFaults): NetworkFaults => ({ ...NO_FAULTS, [what]: 100 });

/**
 * Stops the bot without network faults after `late` seconds, checks its lines against the exchange and returns them. `kills`: number of killed
 * processes. `withoutClientIds`: the exchange has no client ids, so that the final status of orders cannot be compared.
 */
export async function agree(
  { stage, network }: Scene,
  bot: BotProcess,
  {
    placed = 10,
    kills = 0,
    late = 0,
    withoutClientIds = false,
  }: { placed?: number; kills?: number; late?: number; withoutClientIds?: boolean } = {},
): Promise<readonly Line[]> {
  network.faults = NO_FAULTS;
  network.drops = () => false;
  network.corrupts = (reply) => reply;
  if (late > 0) await stage.until(stage.second + late);
  const run = await bot.stop();
  const { sent, arrived } = network.counts;
  expectAgreement(stage.recorder, run, { placed, unsent: sent - arrived + kills * MOST_UNSENT });
  if (!withoutClientIds) expect(wronglyReported(stage, run.lines)).toEqual([]);
  expect(stage.recorder.faults).toEqual([]);
  return run.lines;
}

/** Returns orders whose reported status differs from that at the exchange. Orders that were refused or never arrived must end without a fill. */
function wronglyReported({ recorder }: ForeignStage, lines: readonly Line[]): unknown[] {
  const orders = ordersIn(lines);
  const record = recorder.ends;
  return [...endsIn(lines)].flatMap(([name, reported]) => {
    const isRight = record[name] === 'filled' ? reported === 'filled' : reported === 'cancelled' || reported === 'rejected';
    return isRight ? [] : [{ name, record: record[name], reported: orders.filter((line) => line.clientOrderId === name) }];
  });
}

export type OrderLine = Extract<Line, { kind: 'order' }>;

export const ordersIn = (lines: readonly Line[]): readonly OrderLine[] => lines.filter((line) => line.kind === 'order');

/** Returns the last status of each order. */
export const endsIn = (lines: readonly Line[]): ReadonlyMap<string, OrderLine['status']> =>
  new Map(ordersIn(lines).map((line) => [line.clientOrderId, line.status]));

/** Returns orders that ever had a status. */
export const everReported = (lines: readonly Line[], status: OrderLine['status']): ReadonlySet<string> =>
  new Set(ordersIn(lines).flatMap((line) => (line.status === status ? [line.clientOrderId] : [])));

export const alarmsIn = (lines: readonly Line[]): readonly string[] =>
  lines.flatMap((line) => ((line.kind as string) === 'alarm' ? [(line as unknown as { alarm: string }).alarm] : []));

export const isAction = ({ method }: HttpRequest): boolean => method === 'POST';
