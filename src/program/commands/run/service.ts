// A run under systemd: reports that it is ready and alive.
import { spawn } from 'node:child_process';
import type { Clock } from '../../../base/clock.ts';
import type { AdapterLog } from '../../../bot/exchange/port.ts';
import type { Host } from '../../host.ts';
import { ServiceManager, type ServiceState, serviceStateOf } from '../../monitoring/service-manager.ts';
import type { OpenMonitor } from './monitors.ts';

interface ServiceContext {
  readonly clock: Clock;
  readonly log: Pick<AdapterLog, 'warn'>;
}

/** Returns the monitor that reports one run to systemd. */
export function openService(host: Pick<Host, 'env'>, context: ServiceContext): OpenMonitor {
  return {
    begin(watch) {
      const service = serviceOf(serviceStateOf(watch), host, context);
      return { add: (turn) => service.add(turn) };
    },
  };
}

/** Returns what reports to systemd, by the program systemd-notify. A failure is logged once. */
export function serviceOf(reported: ServiceState, { env }: Pick<Host, 'env'>, { clock, log }: ServiceContext): ServiceManager {
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
  return new ServiceManager(reported, { clock, env, notify });
}
