// Nothing: the header of NCCL includes it and uses no type of it.
