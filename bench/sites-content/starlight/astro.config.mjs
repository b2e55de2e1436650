// The settings of the site that Starlight builds.

import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";

export default defineConfig({ integrations: [starlight({ title: "Kitchen", pagefind: false })] });
