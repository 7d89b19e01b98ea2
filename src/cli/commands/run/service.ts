// A run under systemd: reports that it is ready, and that it lives.
import { spawn } from 'node:child_process';
import type { Clock } from '../../../base/clock.ts';
import type { Log } from '../../../exchange/kit/log.ts';
import { ServiceManager } from '../../../monitoring/service-manager.ts';
import type { Host } from '../../host.ts';
import type { OpenMonitor } from './monitoring.ts';

export function openService({ env }: Pick<Host, 'env'>, { clock, log }: { clock: Clock; log: Log }): OpenMonitor {
  let warned = false;
  const failed = (error: Error): void => {
    if (!warned) log.warn(`systemd is not notified: systemd-notify cannot be run: ${error.message}`);
    warned = true;
  };
  const notify = (states: readonly string[]): void => {
    spawn('systemd-notify', [...states], { stdio: 'ignore', env })
      .on('error', failed)
      .unref();
  };
  return {
    begin(watch) {
      const service = new ServiceManager(watch, { clock, env, notify });
      return { add: (turn) => service.add(turn), close: () => Promise.resolve() };
    },
    close: () => Promise.resolve(),
  };
}
