// The entry of the page: exchanges the link for a session, then shows one run or the list of all runs.
import { render } from 'preact';
import { App } from './app.tsx';
import { begin, Runs } from './runs.tsx';
import { FailedRequest, getRuns, redeemLink } from './state/server.ts';
import { follow, problem } from './state/store.ts';

async function start(): Promise<void> {
  const root = document.getElementById('app');
  if (root === null) return;
  const linked = await redeemLink().catch((error: unknown) => error as FailedRequest);
  const run = new URLSearchParams(location.search).get('run') ?? undefined;
  const list = run === undefined ? await getRuns().catch((error: unknown) => error as FailedRequest) : undefined;
  root.textContent = '';
  if (list instanceof FailedRequest) {
    problem.value = linked instanceof FailedRequest ? linked : list;
    render(<App />, root);
  } else if (list?.runs !== undefined) {
    begin(list);
    render(<Runs />, root);
  } else {
    void follow(run);
    render(<App />, root);
  }
}

void start();
