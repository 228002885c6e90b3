import { aFilm, InMemoryPictures, InMemoryVideos, pictureDerivativesContract, videosContract } from './index.ts';

pictureDerivativesContract('InMemoryPictures', () => {
  const pictures = new InMemoryPictures();
  return { derivatives: pictures, pictures };
});

videosContract(
  'InMemoryVideos',
  () => new InMemoryVideos(),
  async (film) => aFilm(film),
);
