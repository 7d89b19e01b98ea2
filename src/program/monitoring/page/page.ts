// The web page of a run, served on this machine only. Folders and files:
// contract.ts             messages between the page and its server
// feed.ts, status.ts, views.ts  convert turns to the events and the state of the page
// stream.ts               sends events to the open pages; skips slow ones
// api.ts, access.ts       the HTTP routes; the one-time link and the cookie
// run-list.ts             the list of runs, with their sums
// open-pages.ts           lists the pages of this user on this machine, and makes new links for them
// assets.ts, bundle.mjs   the files of the page; browser/ holds their source
import type { Clock } from '../../../base/clock.ts';
import { type Served, serve } from '../../../base/server/http.ts';
import { Access } from './access.ts';
import { type PageSources, pageApi } from './api.ts';
import { pageAssets } from './assets.ts';
import { listPage } from './open-pages.ts';

export interface ServedPageOptions {
  readonly clock: Clock;
  /** 0 chooses a free port. */
  readonly port: number;
  readonly sources: PageSources;
  /** Lists the page for `ui link`: the folder of all pages, and the name of what this page shows. */
  readonly listed: { readonly folder: string; readonly shows: string; readonly pid: number };
  /** Called with an error that the server threw. */
  readonly onBug: (thrown: unknown) => void;
}

export interface ServedPage extends Served {
  /** The address with the secret; it works once. */
  readonly link: string;
}

/** The browser runs only our scripts, sends data only to this server, and never shows the page in a frame. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Rejects with a `UserError` if the port cannot be used. */
export async function openPage({ clock, port, sources, listed: { folder, ...shown }, onBug }: ServedPageOptions): Promise<ServedPage> {
  const own = { port };
  let open: ReturnType<typeof listPage> | undefined;
  const access = new Access({ clock, port: () => own.port, newLink: () => open?.newLink() });
  const handler = pageApi({ access, sources, assets: pageAssets() });
  const served = await serve(handler, { port, host: '127.0.0.1', onBug, headers: HEADERS, exactHost: true });
  own.port = Number(new URL(served.url).port);
  open = listPage(folder, { port: own.port, ...shown });
  const close = async (): Promise<void> => {
    open?.close();
    await served.close();
  };
  return { ...served, close, link: `${served.url}/#${access.newSecret()}` };
}
