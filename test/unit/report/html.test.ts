// The formats of numbers and times on the page, and the escaping of its markup.
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { bps, gain, instant, money, percent, ratio, second, span } from '../../../src/research/report/html/format.ts';
import { jsonText, markup, scriptText } from '../../../src/research/report/html/markup.ts';

describe('markup', () => {
  test('escapes values once, and keeps markup', () => {
    const inner = markup`<b>${'a < "b" & \'c\''}</b>`;
    expect(markup`<p title="${'"x"'}">${[inner, 5, undefined]}</p>`.toString()).toBe(
      '<p title="&#34;x&#34;"><b>a &#60; &#34;b&#34; &#38; &#39;c&#39;</b>5</p>',
    );
  });

  test('a script cannot end its element, and keeps its meaning', () => {
    const written = scriptText('const a = "</script><!--" + "</SCRIPT>"; a');
    expect(written).not.toMatch(/<\/script|<!--/i);
    expect(runInNewContext(written)).toBe('</script><!--</SCRIPT>');
  });

  test('JSON cannot end its element, and keeps its meaning', () => {
    const value = { '</script>': '<!-- & \u2028 >' };
    expect(jsonText(value)).not.toMatch(/[<>&\u2028]/);
    expect(JSON.parse(jsonText(value))).toEqual(value);
  });
});

describe('formats', () => {
  test('money has two places, and four below one', () => {
    expect([12_345.678, -3.1, 0.0123, -0.5, 0, 0.00001, -0.00001].map(money)).toEqual([
      '12,345.68',
      '−3.10',
      '0.0123',
      '−0.5000',
      '0.00',
      '0.00',
      '0.00',
    ]);
    expect([5, -5, 0, 0.00001].map(gain)).toEqual(['+5.00', '−5.00', '0.00', '0.00']);
  });

  test('shares and ratios', () => {
    expect([percent(0.1234), percent(0), percent(-0.00012), ratio(-1.005), bps(2), bps(-2)]).toEqual([
      '12.34 %',
      '0.00 %',
      '−0.0120 %',
      '−1.01',
      '+2.00',
      '−2.00',
    ]);
  });

  test('times are UTC', () => {
    expect(instant('2026-01-05T12:00:00.500+01:00')).toBe('2026-01-05 11:00:00.500');
    expect(second(Date.parse('2026-01-05T12:00:00Z'))).toBe('2026-01-05 12:00:00');
  });

  test('a span is shown in its two largest units', () => {
    expect([0, 999, 1_000, 61_000, 3_600_000, 9_000_000, 90_061_000].map(span)).toEqual([
      '0 ms',
      '999 ms',
      '1 s',
      '1 min 1 s',
      '1 h',
      '2 h 30 min',
      '1 d 1 h',
    ]);
  });
});
