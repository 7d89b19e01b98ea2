// Makes untrusted text safe for a terminal: it cannot move the cursor, and every character takes one column.

const UNPRINTABLE = /[^\x20-\x7e\u00a1-\u00ac\u00ae-\u024f\u2010-\u2027\u2190-\u21ff\u2212\u2500-\u259f\u25a0-\u25ff]/gu;

export const safeText = (text: string): string => text.replace(UNPRINTABLE, '?');
