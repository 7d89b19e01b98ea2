// The page: uses the link, then shows one run, or the list of all runs.
import { render } from 'preact';
import { App } from './app.tsx';
import { Runs } from './runs.tsx';
import { getRuns, Refusal, useLink } from './state/server.ts';
import { follow, problem } from './state/store.ts';

async function start(): Promise<void> {
  const root = document.getElementById('app');
  if (root === null) return;
  const linked = await useLink().catch((error: unknown) => error as Refusal);
  const run = new URLSearchParams(location.search).get('run') ?? undefined;
  const rows = run === undefined ? await getRuns().catch((error: unknown) => error as Refusal) : [];
  root.textContent = '';
  if (rows instanceof Refusal) {
    problem.value = linked instanceof Refusal ? linked : rows;
    render(<App />, root);
  } else if (rows.length > 0) render(<Runs first={rows} />, root);
  else {
    void follow(run);
    render(<App />, root);
  }
}

void start();
