import { Code, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { MediaDto } from '../../api/index.ts';
import { FactList, formatOf, number, Picture, When } from '../../ui/index.ts';
import { settingLabel, settingText } from '../../text.ts';
import { words } from '../../words.ts';
import classes from './MediaDetails.module.css';
import { settingsOf } from './media-names.ts';

const said = words.boards;

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
        <Part title={said.settings}>
          <FactList facts={Object.entries(settings).map(([name, value]) => [settingLabel(name), settingText(value)])} />
        </Part>
      )}
      {extras !== null && !settings && extras !== 'null' && (
        <Part title={said.data}>
          <Code block className={classes.code}>
            {extras}
          </Code>
        </Part>
      )}
      {control_image !== null && url !== null && (
        <Part title={said.controlImage}>
          <a href={control_image} target="_blank" rel="noreferrer">
            <Picture src={control_image} alt={said.controlImage} fit="contain" className={classes.control} />
          </a>
        </Part>
      )}
      <Part title={said.file}>
        <FactList
          facts={[
            [said.format, content_type && formatOf(content_type)],
            [said.size, width && height ? said.pixels(number(width), number(height)) : null],
            [said.duration, duration === null ? null : words.ui.tile.seconds(number(duration, 1))],
            [said.folder, folderName],
            [said.addedAt, <When key="at" at={created_at} size="sm" />],
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
