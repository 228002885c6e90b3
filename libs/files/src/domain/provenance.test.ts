import { describe, expect, it } from '@jest/globals';
import {
  digitalSourceInManifest,
  digitalSourceOf,
  generationIdOf,
  hasPositionIn,
  NO_PROVENANCE,
  outputSourceUri,
  provenanceIn,
  provenanceOf,
  withProvenance,
  xmpPacketOf,
} from './provenance.ts';

const URI = 'http://cv.iptc.org/newscodes/digitalsourcetype/';
const mark = { source: 'trainedAlgorithmicMedia', name: 'Studio', generationId: 12 } as const;
const wrapped = (content: string) => `<x:xmpmeta><rdf:RDF>${content}</rdf:RDF></x:xmpmeta>`;

describe('provenance', () => {
  it('tells what was made from words alone from what was made with a picture', () => {
    expect(digitalSourceOf({ hasPictures: false })).toBe('trainedAlgorithmicMedia');
    expect(digitalSourceOf({ hasPictures: true })).toBe('compositeWithTrainedAlgorithmicMedia');
  });

  it('of an output has a URI; that of other files is not known from generations', () => {
    expect([true, false, null].map(outputSourceUri)).toEqual([
      `${URI}compositeWithTrainedAlgorithmicMedia`,
      `${URI}trainedAlgorithmicMedia`,
      null,
    ]);
  });

  it('is read from a packet as it was written, whatever the name of the installation is', () => {
    for (const name of ['Studio', `A & "B" <C> 'd'`, 'Müller 画像 😀', ']]>']) {
      const packet = xmpPacketOf(provenanceOf({ ...mark, name }));
      expect(packet).toMatch(/^[\n -~]*$/);
      expect(provenanceIn(packet)).toEqual({
        digitalSource: `${URI}trainedAlgorithmicMedia`,
        creatorTool: name,
        identifier: 'generation 12',
        credit: null,
      });
    }
  });

  it('names the generation, and none for a trial or by an identifier of others', () => {
    expect(generationIdOf(provenanceOf(mark))).toBe(12);
    expect(generationIdOf(provenanceOf({ ...mark, generationId: null }))).toBeNull();
    for (const identifier of ['generation', 'generation 12 of them', 'urn:uuid:12', 'generation 1234567890123456']) {
      expect(generationIdOf({ identifier })).toBeNull();
    }
  });

  it.each([
    ['an attribute', `<rdf:Description Iptc4xmpExt:DigitalSourceType='${URI}digitalArt'/>`],
    ['an element', `<a:DigitalSourceType>\n${URI}digitalArt </a:DigitalSourceType>`],
    ['a resource', `<Iptc4xmpExt:DigitalSourceType rdf:resource="${URI}digitalArt"/>`],
    ['a list', `<i:DigitalSourceType><rdf:Bag><rdf:li>${URI}digitalArt</rdf:li></rdf:Bag></i:DigitalSourceType>`],
  ])('is found in %s of XMP', (_, content) => {
    expect(provenanceIn(wrapped(content)).digitalSource).toBe(`${URI}digitalArt`);
  });

  it.each([
    ['a text', `<dc:description>Iptc4xmpExt:DigitalSourceType="${URI}digitalArt"</dc:description>`],
    ['a value', `<rdf:Description dc:rights=' DigitalSourceType="${URI}digitalArt"'/>`],
    ['a comment', `<!-- <a:DigitalSourceType>${URI}digitalArt</a:DigitalSourceType> -->`],
    ['an unterminated comment', `<!-- <a:DigitalSourceType>${URI}digitalArt</a:DigitalSourceType>`],
    ['character data', `<![CDATA[<a:DigitalSourceType>${URI}digitalArt</a:DigitalSourceType>]]>`],
    ['an empty element', '<a:DigitalSourceType></a:DigitalSourceType>'],
  ])('is not what %s of XMP mentions', (_, content) => {
    expect(provenanceIn(wrapped(content))).toEqual(NO_PROVENANCE);
  });

  it('is added to the XMP of others, which loses nothing and gets no property twice', () => {
    const theirs = wrapped(
      '<rdf:Description xmp:CreatorTool="Theirs"><dc:description>a fox</dc:description></rdf:Description>',
    );
    const both = withProvenance(theirs, provenanceOf(mark))!;
    expect(both).toContain('<dc:description>a fox</dc:description>');
    expect(both.match(/CreatorTool=/g)).toHaveLength(1);
    expect(provenanceIn(both)).toMatchObject({ creatorTool: 'Theirs', digitalSource: `${URI}trainedAlgorithmicMedia` });
  });

  it('is not added to XMP without one certain place for it', () => {
    expect(withProvenance('<x:xmpmeta/>', provenanceOf(mark))).toBeNull();
    expect(withProvenance(wrapped('') + wrapped(''), provenanceOf(mark))).toBeNull();
  });

  it('is found in a manifest: that of an AI system before that of an ingredient', () => {
    const manifest = `\0dcx${URI}digitalCapture\0action\xff${URI}trainedAlgorithmicMedia\xffsoftwareAgent`;
    expect(digitalSourceInManifest(manifest)).toBe(`${URI}trainedAlgorithmicMedia`);
    expect(digitalSourceInManifest(`jumb${URI}digitalCapture\0`)).toBe(`${URI}digitalCapture`);
    expect(digitalSourceInManifest('jumb')).toBeNull();
  });

  it('has a position with one of the properties of GPS', () => {
    expect(hasPositionIn('exif:GPSLatitude="51,30N"')).toBe(true);
    expect(hasPositionIn('<dc:description>without GPS</dc:description>')).toBe(false);
  });
});
