import { describe, expect, it } from '@jest/globals';
import { trainedOutputs } from './trained-styles.ts';

const dataUrl = (value: unknown) =>
  `data:application/json;base64,${Buffer.from(JSON.stringify(value)).toString('base64')}`;

describe('what a vendor has trained', () => {
  const body = {
    file: { url: 'https://vendor.example/a.safetensors', size: 7 },
    style_id: 'abc',
    16: { text: ['x12.safetensors'] },
    bad: { url: 'file:///etc/passwd' },
    empty: '',
    long: 'x'.repeat(70_000),
  };

  it.each([
    [{ weights: 'file.url' }, ['https://vendor.example/a.safetensors']],
    [{ weights: 'file' }, []],
    [{ weights: 'file.size' }, []],
    [{ weights: 'bad.url' }, []],
    [{ weights: 'none.url' }, []],
    [{ weights: 'style_id.length' }, []],
    [{ weights: 'constructor.name' }, []],
    [{ reference: 'style_id' }, [dataUrl({ reference: 'abc' })]],
    [{ reference: '16.text.0' }, [dataUrl({ reference: 'x12.safetensors' })]],
    [{ reference: 'file' }, [dataUrl({ reference: body.file })]],
    [{ reference: 'none' }, []],
    [{ reference: 'empty' }, []],
    [{ reference: 'long' }, []],
  ])('is the field %j of its result', (result, urls) => {
    expect(trainedOutputs(result, body).map(({ url }) => url)).toEqual(urls);
  });

  it.each([null, 'text', [], 7])('is nothing in the result %j', (result) => {
    expect(trainedOutputs({ weights: 'file.url' }, result)).toEqual([]);
  });
});
