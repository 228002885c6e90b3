import { FILE_SOURCES, type FileSource } from '#files';
import { MAX_CHECKED_BYTES, type FileProvenance, type FoundMark } from '#provenance';
import {
  BooleanField,
  ChoiceField,
  dtoOf,
  FileField,
  IntegerField,
  ListField,
  TextField,
  TimeField,
  UrlField,
} from '../http/index.ts';
import { FILE_URL } from '../files/picture.dto.ts';

const AI_MADE = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';
const OF_A_SIGNATURE = '; null for a mark without a signature';

export class MarkDto {
  @ChoiceField(['xmp', 'c2pa'], 'A statement in XMP, or a signed manifest of C2PA.', { example: 'c2pa' })
  kind!: 'xmp' | 'c2pa';
  @TextField('Who made the mark, by its own account; null if it does not say.', { example: 'x12', nullable: true })
  signer!: string | null;
  @BooleanField(`Whether the bytes are those that were signed${OF_A_SIGNATURE}.`, { example: true, nullable: true })
  intact!: boolean | null;
  @BooleanField(`Whether the operator trusts the signer${OF_A_SIGNATURE}.`, { example: true, nullable: true })
  trusted!: boolean | null;
  @TextField('The digital source type that it states, a URI of IPTC.', { example: AI_MADE, nullable: true })
  digital_source_type!: string | null;
}

export class ProvenanceResponse {
  @ChoiceField(FILE_SOURCES, 'How the file came to be.', { example: 'generated' }) source!: FileSource;
  @TextField('Digital source type of IPTC: of an output by its generation, else as its marks state; null if unknown.', {
    example: AI_MADE,
    nullable: true,
  })
  digital_source_type!: string | null;
  @IntegerField('The generation that made it.', { example: 12, nullable: true }) generation_id!: number | null;
  @TextField('The model that made it.', { example: 'local-image', nullable: true }) model!: string | null;
  @TimeField('When it was made, or saved.') made_at!: Date;
  @ListField(() => Number, 'Files that went into the generation, in the order of the inputs.', { example: [7] })
  parents!: readonly number[];
  @ListField(() => MarkDto, 'The marks in the bytes; null for a file of more than 50 MB, which is not read.', {
    nullable: true,
  })
  marks!: MarkDto[] | null;
}

export function provenanceResponse({ marks, ...provenance }: FileProvenance): ProvenanceResponse {
  const { digitalSource: digitalSourceType } = provenance;
  const found = marks && marks.map(markDto);
  return dtoOf(ProvenanceResponse, { ...provenance, digitalSourceType, marks: found });
}

function markDto({ digitalSource: digitalSourceType, ...mark }: FoundMark): MarkDto {
  return dtoOf(MarkDto, { ...mark, digitalSourceType });
}

export class CheckRequest {
  @UrlField('URL of a stored file of the workspace.', { example: FILE_URL, required: false })
  url?: string;

  @FileField('Or a file of any type: of the form, or as the body itself.', { maxBytes: MAX_CHECKED_BYTES })
  file?: Buffer;
}

export class CheckResponse {
  @ListField(() => MarkDto, 'The marks in the bytes.') marks!: MarkDto[];
}

export function checkResponse(marks: readonly FoundMark[]): CheckResponse {
  return { marks: marks.map(markDto) };
}
