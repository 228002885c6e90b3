/** Maximum items of one link. */
const MOST_SHARED = 500;

/** The action that makes a link, in the menus of every page. */
export const shareAction = {
  label: 'Share…',
  /** Why so many items can't be shared by one link; null if they can. */
  refusal: (many: number) =>
    many > MOST_SHARED ? `At most ${MOST_SHARED} can be shared by one link: select fewer` : null,
};
