// Creates one process of the bot: its life, its connection and what the invariants observe of it.
import type { Millis } from '../../../../base/clock.ts';
import type { HttpRequest } from '../../../../base/transport/transport.ts';
import { nameOf } from '../../record/signed-action.ts';
import type { SimulatedNetwork } from '../network/network.ts';
import type { Invariant, Process, Scene } from '../scene.ts';
import { Life, type LifeOptions } from './life.ts';

interface MakeOptions {
  readonly scene: Scene;
  readonly network: SimulatedNetwork;
  readonly checks: readonly Invariant[];
  /** How far its clock is ahead of the simulation's. */
  readonly clockOffset: Millis;
  readonly dies: (process: Process, ...call: Parameters<LifeOptions['dies']>) => boolean;
}

export function makeProcess(number: number, { scene, network, checks, clockOffset, dies }: MakeOptions): Process {
  let requests = 0;
  const process: Process = {
    number,
    wanted: 0,
    trading: undefined,
    life: new Life({
      clock: scene.clock,
      clockOffset: () => clockOffset,
      transport: network.transport({
        recordSent: (request) => sent(request, process, { scene, checks }),
        startRequest: () => (process.trading === undefined ? ++requests : undefined),
        monotonic: () => process.life.monotonic(),
        received: (request, reply, { asked, altered }) => {
          if (!process.life.alive) return;
          scene.trace.count(`${number} hears ${reply.status} ${reply.body.length} ${scene.venue.api.nameOf(request)}`);
          if (!altered) scene.venue.replies.received(request, reply);
          for (const check of checks) check.received?.(request, reply, { asked, altered, by: process });
        },
      }),
      dialStreams: network.lines?.dial,
      disk: scene.disk,
      dies: (call, moment) => dies(process, call, moment),
      onBug: (thrown) => scene.fail('V25', `thrown by the bot: ${stackOf(thrown)}`),
    }),
  };
  return process;
}

function sent(request: HttpRequest, process: Process, { scene, checks }: Pick<MakeOptions, 'scene' | 'checks'>): void {
  scene.trace.count(`${process.number} asks ${scene.venue.api.nameOf(request)}`);
  for (const check of checks) check.requested?.(request, process);
  const signedAction = scene.venue.sent(request, process.number);
  if (signedAction === undefined) return;
  scene.trace.note(`process ${process.number} sends ${nameOf(signedAction.action)}, signed for ${signedAction.action.timestamp}`);
  for (const check of checks) check.sent?.(signedAction, process);
}

/** The stack of anything that was thrown, for a person. */
export const stackOf = (thrown: unknown): string => (thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
