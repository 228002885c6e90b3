import { Code, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { MediaDto } from '../../api/index.ts';
import { FactList, formatOf, number, Picture, uiWords, When } from '../../ui/index.ts';
import { settingLabel, settingText } from '../../text.ts';
import classes from './MediaDetails.module.css';
import { settingsOf } from './media-names.ts';
import { words } from './words.ts';

interface MediaDetailsProps {
  readonly media: MediaDto;
  readonly folderName: string;
}

/** The details of a media item: the settings of its generation, its file, its control image. */
export function MediaDetails({ media, folderName }: MediaDetailsProps) {
  const { extras, url, control_image, content_type, width, height, duration, created_at } = media;
  const settings = settingsOf(extras);
  return (
    <Stack gap="lg">
      {settings && Object.keys(settings).length > 0 && (
        <Part title={words.settings}>
          <FactList facts={Object.entries(settings).map(([name, value]) => [settingLabel(name), settingText(value)])} />
        </Part>
      )}
      {extras !== null && !settings && extras !== 'null' && (
        <Part title={words.data}>
          <Code block className={classes.code}>
            {extras}
          </Code>
        </Part>
      )}
      {control_image !== null && url !== null && (
        <Part title={words.controlImage}>
          <a href={control_image} target="_blank" rel="noreferrer">
            <Picture src={control_image} alt={words.controlImage} fit="contain" className={classes.control} />
          </a>
        </Part>
      )}
      <Part title={words.file}>
        <FactList
          facts={[
            [words.format, content_type && formatOf(content_type)],
            [words.size, width && height ? words.pixels(number(width), number(height)) : null],
            [words.duration, duration === null ? null : uiWords.tile.seconds(number(duration, 1))],
            [words.folder, folderName],
            [words.addedAt, <When key="at" at={created_at} size="sm" />],
          ]}
        />
      </Part>
    </Stack>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <Title order={2} mb={6}>
        {title}
      </Title>
      {children}
    </section>
  );
}
