// Where the pictures of the documents are.
export const LIVE_VIEW = new URL('../../docs/pictures/live-view.svg', import.meta.url);
export const REPORT = new URL('../../docs/pictures/report.png', import.meta.url);
export const RUN_PAGE = new URL('../../docs/pictures/page.png', import.meta.url);
