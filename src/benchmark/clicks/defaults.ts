/** What is measured unless somebody asks for something else. */

/** The test digits, USPS, COIL-20, the test images of Fashion-MNIST. */
export const clicksSets: readonly string[] = ["mnist-test", "usps", "coil-20", "fashion-mnist-test"];
export const clicksSeeds: readonly number[] = [0, 1, 2];
export const clicksAnswers: readonly number[] = [0, 10, 20, 50, 100, 200, 500];
