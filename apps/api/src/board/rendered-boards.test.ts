import { describe, expect, it } from '@jest/globals';
import { RenderedBoards } from './rendered-boards.ts';

const TEXT = '{}';

describe('rendered boards', () => {
  it('are kept from the second time on', () => {
    const rendered = new RenderedBoards();
    rendered.keep(7, 1, TEXT);
    expect(rendered.find(7)).toBeNull();
    const again = rendered.keep(7, 2, TEXT);
    expect(rendered.find(7)).toBe(again);
  });

  it('are not kept while a thousand others come between', () => {
    const rendered = new RenderedBoards();
    const readAll = (count: number) => {
      for (let board = 0; board < count; board++) rendered.keep(board, 1, TEXT);
    };
    readAll(1001);
    readAll(1001);
    expect(rendered.find(0)).toBeNull();
    readAll(1000);
    readAll(1000);
    expect(rendered.find(0)).not.toBeNull();
  });

  it('are dropped beyond 32 MiB, the least recently used first', () => {
    const rendered = new RenderedBoards();
    const large = 'x'.repeat(8 * 1024 * 1024);
    for (const board of [1, 2, 3, 4, 1, 2, 3, 4]) rendered.keep(board, 1, large);
    expect(rendered.find(1)).not.toBeNull();
    for (const board of [5, 5]) rendered.keep(board, 1, large);
    expect([1, 2, 3, 4, 5].filter((board) => rendered.find(board))).toEqual([1, 3, 4, 5]);
  });
});
