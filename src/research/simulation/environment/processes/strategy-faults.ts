// A strategy with faults: it throws, or leaves two rejected promises without a handler.
import type { Params, Strategy } from '../../../../bot/strategy/contract.ts';
import type { FaultKind } from '../../plan/faults.ts';
import type { Invariant, Process, Scene } from '../scene.ts';

/** An error that the plan causes. */
export class StrategyFault extends Error {
  override readonly name = 'StrategyFault';
}

interface FaultyOptions {
  readonly scene: Pick<Scene, 'faults'>;
  readonly checks: readonly Invariant[];
  /** A fault strikes only while one of its orders is in flight. */
  readonly process: Process;
  /** What the process does if a promise without a handler is rejected. */
  readonly onUncaught: (thrown: unknown) => void;
}

/** True if the plan caused the error, or the cause of the error. */
export const isPlannedError = (thrown: unknown): boolean =>
  thrown instanceof StrategyFault || (thrown instanceof Error && thrown.cause !== undefined && isPlannedError(thrown.cause));

export function faultyStrategy(
  strategy: Strategy<Params>,
  { scene: { faults }, checks, process, onUncaught }: FaultyOptions,
): Strategy<Params> {
  const spent = new Set<string>();
  const struckBy = (kind: FaultKind): boolean => {
    const isBusy = process.trading?.run.world.orders().some(({ status }) => status === 'pending') === true;
    const fault = isBusy ? faults.hit(kind, undefined, ({ id }) => !spent.has(id)) : undefined;
    if (fault === undefined) return false;
    spent.add(fault.id);
    for (const check of checks) check.strategyFailed?.(process);
    return true;
  };
  const uncaught = (): void => {
    if (process.life.alive) onUncaught(new StrategyFault('a promise is rejected, as planned'));
  };
  return {
    ...strategy,
    create(params, tools) {
      const decide = strategy.create(params, tools);
      return (view) => {
        if (struckBy('throws')) throw new StrategyFault('the strategy throws, as planned');
        if (struckBy('rejects')) for (let rejected = 0; rejected < 2; rejected++) queueMicrotask(uncaught);
        return decide(view);
      };
    },
  };
}
