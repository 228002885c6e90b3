import type { Folder, Media } from './api.ts';

/** The items of one folder. */
export interface Section {
  /** Null for items outside of all folders. */
  readonly id: number | null;
  /** The path of the folder; null for items outside of all folders. */
  readonly title: string | null;
  readonly media: readonly Media[];
}

/** Items by folders: first those outside, then folder by folder, each before the folders within it. Empty ones are left out. */
export function sectionsOf(folders: readonly Folder[], media: readonly Media[]): Section[] {
  const known = new Set(folders.map(({ id }) => id));
  const within = (id: number | null) => (id !== null && known.has(id) ? id : null);
  const inside = Map.groupBy(media, ({ folder_id }) => within(folder_id));
  const children = Map.groupBy(folders, ({ parent_id }) => within(parent_id));
  const sections: Section[] = [{ id: null, title: null, media: inside.get(null) ?? [] }];
  const visit = (parent: number | null, path: string) => {
    for (const { id, name } of children.get(parent) ?? []) {
      const title = path + name;
      sections.push({ id, title, media: inside.get(id) ?? [] });
      visit(id, `${title} / `);
    }
  };
  visit(null, '');
  return sections.filter((section) => section.media.length > 0);
}
