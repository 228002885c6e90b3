import type { Page, PageRequest } from '#kernel';
import type { Preset, PresetContent } from '../domain/preset.ts';

export interface NewPreset extends PresetContent {
  readonly workspaceId: number;
  readonly createdBy: number;
  readonly createdAt: Date;
}

/** A preset, and whether its persona still exists. */
export interface KnownPreset extends Preset {
  /** True also for a preset without a persona. */
  readonly hasPersona: boolean;
}

/** Presets of workspaces. All changes must be called in a unit of work. */
export interface PresetStore {
  /**
   * Makes changes of the presets of the workspace wait until the surrounding unit of work ends.
   *
   * @returns all presets of the workspace
   */
  lockAll(workspaceId: number): Promise<readonly Preset[]>;

  /** `null` when it is unknown or in another workspace. */
  find(workspaceId: number, id: number): Promise<KnownPreset | null>;

  /** Returns the id. The surrounding unit of work has locked the presets of the workspace, as for all changes. */
  add(preset: NewPreset): Promise<number>;

  update(id: number, content: PresetContent, at: Date): Promise<void>;

  remove(id: number): Promise<void>;
}

export interface PresetView extends KnownPreset {
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Reads of presets. */
export interface PresetViews {
  /** Newest first. */
  list(workspaceId: number, page: PageRequest): Promise<Page<PresetView>>;

  /** `null` when it is unknown or in another workspace. */
  find(workspaceId: number, id: number): Promise<PresetView | null>;
}
