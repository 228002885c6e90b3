export { type ActionItem, ActionMenu } from './ActionMenu.tsx';
export { CodeSample } from './CodeSample.tsx';
export type { Compared } from './compare/ComparedItem.tsx';
export { Comparison } from './compare/Comparison.tsx';
export { type Setting, settingsOf } from './compare/settings.ts';
export { useSettings } from './compare/use-settings.ts';
export { comparedIn, MOST_COMPARED } from './compare/layout.ts';
export { ConfirmDialog } from './ConfirmDialog.tsx';
export { CopyButton } from './CopyButton.tsx';
export { Credits } from './Credits.tsx';
export { CreditsBar } from './CreditsBar.tsx';
export { type CsvField, csvOf } from './csv.ts';
export { type Column, DataTable } from './DataTable.tsx';
export { EmptyState } from './EmptyState.tsx';
export { ErrorNotice, ErrorText, isUnreachable } from './ErrorNotice.tsx';
export { FactList } from './FactList.tsx';
export { Facts } from './Facts.tsx';
export { FieldForm } from './FieldForm.tsx';
export { FormButtons } from './FormButtons.tsx';
export { FilterBar, FilterChoice, FilterDays, FilterText } from './FilterBar.tsx';
export { FilterChip } from './FilterChip.tsx';
export { bytes, fullTime, number, percent } from './formats.ts';
export { editLink, useEditableTypes } from './generation/edit-link.ts';
export { EditButton, EditItem } from './generation/EditButton.tsx';
export { adviceFor, FailureNotice } from './generation/FailureNotice.tsx';
export { Lineage } from './generation/Lineage.tsx';
export { NoOutputs } from './generation/NoOutputs.tsx';
export { OutputMenu } from './generation/OutputMenu.tsx';
export { PutOnBoardDialog } from './generation/PutOnBoardDialog.tsx';
export { StateBadge } from './generation/StateBadge.tsx';
export { generationChanges, useCancel } from './generation/use-cancel.ts';
export {
  editModels,
  imageLink,
  objectModel,
  type Origin,
  outputOf,
  type PricedModel,
  requestOn,
} from './generation/task-actions.ts';
export { TaskButtons, TaskItems } from './generation/TaskButtons.tsx';
export { randomKey, Starts } from './generation/starts.ts';
export { type Made, useMade, useReadMade } from './generation/use-made.ts';
export { type ActedOn, actedOn } from './generation/use-task-actions.ts';
export { useUnderWay } from './generation/use-under-way.ts';
export { type Sending, useGenerate } from './generation/use-generate.ts';
export { UseAsSlotDialog } from './generation/UseAsSlotDialog.tsx';
export { initialOf } from './initial.ts';
export { Loading } from './Loading.tsx';
export { loadPart } from './load-part.ts';
export { formatOf, mediaKind, type StoredMedia, storedPicture } from './media.ts';
export { download } from './media/download.ts';
export { downloadZip, refusalToDownload } from './media/download-zip.ts';
export { MediaStage } from './media/MediaStage.tsx';
export { MediaViewer } from './media/MediaViewer.tsx';
export { besideOf, type ViewedMedia } from './media/viewed-media.ts';
export { MediaPicker } from './media-picker/MediaPicker.tsx';
export type { PickedMedia } from './media-picker/picked-media.ts';
export { MediaThumb } from './MediaThumb.tsx';
export { MoreOfList, NextPageError, useNextPage } from './MoreOfList.tsx';
export { NewPasswordInput } from './NewPasswordInput.tsx';
export { NewSecret, NewToken } from './NewSecret.tsx';
export { makeUnlessUndone, makeWithUndo, notifyDone, notifyError, offerUndo } from './notices.tsx';
export { NothingFound } from './NothingFound.tsx';
export { EmptyPage, Page, Section } from './Page.tsx';
export { PersonName } from './PersonName.tsx';
export { usePersonaNames } from './persona-names.ts';
export { Picture } from './Picture.tsx';
export { saveCsv } from './save-csv.ts';
export { SearchField } from './SearchField.tsx';
export { SecretField } from './SecretField.tsx';
export { useIsPhone } from './use-is-phone.ts';
export { useListState } from './use-list-state.ts';
export { useTouchAndHold } from './use-touch-and-hold.ts';
export { useSubject } from './use-subject.ts';
export { type FirstTile, MediaGrid } from './grid/MediaGrid.tsx';
export { allOf, NOTHING, type Selection } from './grid/selection.ts';
export { SelectionAction } from './grid/SelectionAction.tsx';
export { SelectionBar } from './grid/SelectionBar.tsx';
export { type Look } from './grid/Tile.tsx';
export { TileBadge } from './grid/TileBadge.tsx';
export { describeMedia, TileMedia, TileNote, tileRatio } from './grid/TileMedia.tsx';
export { useDrag } from './grid/use-drag.ts';
export { useSelection } from './grid/use-selection.ts';
export { useTiles } from './grid/use-tiles.ts';
export { VirtualGrid } from './VirtualGrid.tsx';
export { VirtualList } from './VirtualList.tsx';
export { When } from './When.tsx';
export { words as uiWords } from './words.ts';
