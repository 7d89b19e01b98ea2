// A stage with a hostile line, a bot that trades there, and what must hold when the story is over.
import { expect, onTestFinished } from 'vitest';
import { rngFrom } from '../../src/base/rng.ts';
import type { HttpRequest } from '../../src/base/transport.ts';
import type { Line } from '../../src/report/accounting/lines.ts';
import { expectAgreement } from '../story/foreign/expect-agreement.ts';
import { type BotProcess, ForeignStage, type Setting } from '../story/foreign/foreign-stage.ts';
import { FAIR, HostileLine, type Weather } from './hostile-line.ts';

/** Orders that a process may have decided on, and not sent, when it is killed. */
export const DECIDED = 12;

export interface Scene {
  readonly stage: ForeignStage;
  readonly line: HostileLine;
}

export async function sceneOf(setting: Setting): Promise<Scene> {
  let line: HostileLine | undefined;
  const rng = rngFrom(setting.seed).fork('hostile line');
  const stage = await ForeignStage.open({
    ...setting,
    network: (inner, clock) => {
      line = new HostileLine(inner, { clock, rng, weather: FAIR });
      return line;
    },
  });
  onTestFinished(() => stage.close());
  if (line === undefined) throw new Error('the stage has no line');
  return { stage, line };
}

export async function playing(setting: Partial<Setting> = {}): Promise<Scene & { readonly bot: BotProcess }> {
  const scene = await sceneOf({ seed: 'told', ...setting });
  return { ...scene, bot: await scene.stage.bot() };
}

/** Weather of one kind alone, always. */
export const always = (what: keyof Weather): Weather => ({ ...FAIR, [what]: 100 });

/**
 * It stops in fair weather, `late` seconds on; what it says of its run is what the exchange knows, and returned. `kills`: so many processes died.
 * `nameless`: the exchange has no names for orders by which their ends could be compared.
 */
export async function agree(
  { stage, line }: Scene,
  bot: BotProcess,
  { placed = 10, kills = 0, late = 0, nameless = false }: { placed?: number; kills?: number; late?: number; nameless?: boolean } = {},
): Promise<readonly Line[]> {
  line.weather = FAIR;
  line.swallows = () => false;
  line.spoils = (reply) => reply;
  if (late > 0) await stage.until(stage.second + late);
  const run = await bot.stop();
  const { sent, arrived } = line.counts;
  expectAgreement(stage.recorder, run, { placed, unsent: sent - arrived + kills * DECIDED });
  if (!nameless) expect(wronglyReported(stage, run.lines)).toEqual([]);
  expect(stage.recorder.faults).toEqual([]);
  return run.lines;
}

/** What the exchange took must end as it ended there; what it refused or never saw has come to nothing, by whichever name. */
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

/** The last word on each order. */
export const endsIn = (lines: readonly Line[]): ReadonlyMap<string, OrderLine['status']> =>
  new Map(ordersIn(lines).map((line) => [line.clientOrderId, line.status]));

/** Orders that were at some time said to be so. */
export const everSaid = (lines: readonly Line[], status: OrderLine['status']): ReadonlySet<string> =>
  new Set(ordersIn(lines).flatMap((line) => (line.status === status ? [line.clientOrderId] : [])));

export const alarmsIn = (lines: readonly Line[]): readonly string[] =>
  lines.flatMap((line) => ((line.kind as string) === 'alarm' ? [(line as unknown as { alarm: string }).alarm] : []));

export const isAction = ({ method }: HttpRequest): boolean => method === 'POST';
